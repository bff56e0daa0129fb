import PaletteModel
import PaletteTestSupport

/// W6: the difference of two lists.
struct DiffBench {
  let count: Int
  let scattered: Int
  var block = 20_000
  var shuffled = 5_000

  func run() throws {
    try measure("scattered", count, scattered) { scatter(count, scattered) }
    try measure("blockmove", block, 0) { moveBlock(block) }
    try measure("shuffle", shuffled, 0) { shuffle(shuffled) }
  }

  private func measure(
    _ shape: String,
    _ count: Int,
    _ changed: Int,
    _ lists: () -> (old: [Int], new: [Int])
  ) throws {
    let report = Measurement(workload: "W6")
    let lists = lists()
    let old = lists.old.map(Self.color)
    let new = lists.new.map(Self.color)
    let oldIDs = old.map(\.id)
    let newIDs = new.map(\.id)
    let (byID, order) = try Measurement.seconds { try OrderDiff(from: oldIDs, to: newIDs) }
    let (least, _) = Measurement.seconds { LinearPass(from: oldIDs, to: newIDs) }
    let parameters = "\"n\": \(count), \"k\": \(changed)"
    report.emit("\(shape)_id_s", least, "s", parameters, peer: "limit")
    report.emit("\(shape)_id_s", byID, "s", parameters)
    let (whole, diff) = try Measurement.seconds { try PaletteDiff(from: old, to: new) }
    report.emit("\(shape)_full_s", whole, "s", parameters)
    guard try diff.applying(to: old) == new, diff.moves.count == order.moves.count else {
      throw BenchError("the difference of \(shape) does not lead to the new list")
    }
  }

  private static func color(_ number: Int) -> NamedColor {
    var random = SeededRandom(seed: UInt64(number) &* 7919 &+ 13)
    let id = RecordID(high: random.next(), low: random.next())
    let rgba = UInt32(truncatingIfNeeded: random.next())
    return NamedColor(id: id, name: "quiet harbor \(number)", color: BenchColor.color(rgba))
  }

  /// Deletions, moves and insertions at random places, as many of each.
  private func scatter(_ count: Int, _ changed: Int) -> ([Int], [Int]) {
    var random = SeededRandom(seed: 6)
    func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    let old = Array(0..<count)
    var gone: Set<Int> = []
    while gone.count < changed { gone.insert(draw(count)) }
    var moved: Set<Int> = []
    while moved.count < changed {
      let item = draw(count)
      if !gone.contains(item) { moved.insert(item) }
    }
    let kept = old.filter { !gone.contains($0) && !moved.contains($0) }
    var arrivals = (moved.sorted() + (count..<count + changed)).map { (draw(kept.count), $0) }
    arrivals.sort { $0 < $1 }
    var new: [Int] = []
    var next = 0
    for (index, item) in kept.enumerated() {
      while next < arrivals.count, arrivals[next].0 == index {
        new.append(arrivals[next].1)
        next += 1
      }
      new.append(item)
    }
    return (old, new)
  }

  private func moveBlock(_ count: Int) -> ([Int], [Int]) {
    let quarter = count / 4
    return (
      Array(0..<count),
      Array(quarter..<2 * quarter) + Array(0..<quarter) + Array(2 * quarter..<count)
    )
  }

  private func shuffle(_ count: Int) -> ([Int], [Int]) {
    var random = SeededRandom(seed: 6)
    var new = Array(0..<count)
    for index in stride(from: count - 1, to: 0, by: -1) {
      new.swapAt(index, Int(random.next() % UInt64(index + 1)))
    }
    return (Array(0..<count), new)
  }
}
