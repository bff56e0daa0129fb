import PaletteStore
import PaletteTestSupport
import Testing

struct RecentCacheTests {
  @Test func forgetsWhatWasUsedLongestAgo() {
    let cache = RecentCache<Int, String>(byteLimit: 30)
    for key in 1...3 { cache.insert("\(key)", for: key, bytes: 10) }
    #expect(cache[1] == "1")
    cache.insert("4", for: 4, bytes: 10)
    #expect(cache[2] == nil)
    #expect(cache[1] == "1")
    #expect(cache.byteCount == 30)
    // The newest is kept however large it is.
    cache.insert("5", for: 5, bytes: 1_000)
    #expect(cache.count == 1)
    #expect(cache[5] == "5")
    cache.update(5) { value in
      value = "five"
      return 7
    }
    #expect(cache[5] == "five")
    #expect(cache.byteCount == 7)
    cache.remove(5)
    #expect(cache[5] == nil)
    #expect((cache.count, cache.byteCount) == (0, 0))
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func isAListWithTheNewestInFront(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let cache = RecentCache<Int, Int>(byteLimit: 100)
    var model: [(key: Int, value: Int, bytes: Int)] = []
    for step in 0..<500 {
      let key = Int.random(in: 0..<20, using: &random)
      let position = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let bytes = Int.random(in: 1...40, using: &random)
        if let position { model.remove(at: position) }
        model.insert((key, step, bytes), at: 0)
        cache.insert(step, for: key, bytes: bytes)
      case 1:
        if let position { model.remove(at: position) }
        cache.remove(key)
      case 2 where position != nil:
        var entry = model.remove(at: position ?? 0)
        entry.bytes = Int.random(in: 1...40, using: &random)
        entry.value += 1
        model.insert(entry, at: 0)
        cache.update(key) { value in
          value += 1
          return entry.bytes
        }
      default:
        if let position { model.insert(model.remove(at: position), at: 0) }
        #expect(cache[key] == model.first { $0.key == key }?.value, "replay with seed \(seed)")
      }
      while model.reduce(0, { $0 + $1.bytes }) > 100, model.count > 1 { model.removeLast() }
      #expect(cache.count == model.count, "step \(step), replay with seed \(seed)")
      #expect(cache.byteCount == model.reduce(0) { $0 + $1.bytes }, "replay with seed \(seed)")
    }
  }
}
