import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// Which connections concern whom, against a search through all of them.
struct PeerConnectionIndexTests {
  private static func palette(_ number: Int) -> PaletteID {
    PaletteID(RecordID(high: 1, low: UInt64(number)))
  }

  @Test(arguments: TestSeeds.some(of: 16))
  func findsWhomASearchFinds(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var index = PeerConnectionIndex()
    var scopes: [UInt64: Scope] = [:]
    var members: [UInt64: Int64] = [:]
    for _ in 0..<100 {
      let number = UInt64.random(in: 0..<30, using: &random)
      let connection = PeerConnectionID(rawValue: number)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        scopes[number] = .library
        index.add(connection, .library)
      case 1:
        let palettes = Set((0..<6).filter { _ in random.chance(0.3) }.map(Self.palette))
        scopes[number] = .palettes(palettes)
        index.add(connection, .palettes(palettes))
      case 2:
        let member = Int64.random(in: 0..<5, using: &random)
        members[number] = member
        let count = index.add(connection, of: member)
        #expect(count == members.values.count { $0 == member })
      default:
        scopes[number] = nil
        members[number] = nil
        index.remove(connection)
      }
      #expect(index.count == scopes.count)
      #expect(
        index.ofLibrary.map(\.rawValue) == scopes.filter { $0.value == .library }.keys.sorted()
      )
      for palette in (0..<6).map(Self.palette) {
        let found = scopes.filter { $0.value.covers(palette) }.keys.sorted()
        #expect(index.concerning(palette).map(\.rawValue) == found)
      }
      let some = Set((0..<6).filter { _ in random.chance(0.5) }.map(Self.palette))
      let found = scopes.filter { entry in
        entry.value == .library || some.contains(where: entry.value.covers)
      }
      #expect(index.concerning(some).map(\.rawValue) == found.keys.sorted())
    }
  }

  @Test func waitsInOrderAndForNothingElse() {
    var queue = DueQueue<Int>(afterMilliseconds: 100)
    func next(at time: Int64) -> Int? { queue.next(at: time)?.element }
    for number in 0..<1_000 { queue.add(number, at: Int64(number)) }
    #expect(next(at: 99) == nil)
    for number in 0..<500 {
      let first = queue.next(at: Int64(number) + 100)
      #expect(first?.element == number && first?.since == Int64(number))
      #expect(next(at: Int64(number) + 100) == nil)
    }
    queue.addFirst(-1)
    #expect(queue.count == 501)
    #expect(next(at: 0) == -1)
    // A clock that went back keeps nothing waiting.
    #expect(next(at: 300) == 500)
    #expect(next(at: 450) == nil)
    #expect(queue.count == 499)
  }

  @Test func rightsAreLookedAtWhenTheyChangeOrEnd() {
    let schedule = RightsSchedule()
    func isDue(_ changes: Int, at time: Int64) -> Bool {
      schedule.isDue(changes: changes, at: time)
    }
    #expect(!isDue(0, at: 5))
    schedule.add([Grant(.viewer, on: nil, expiresMilliseconds: 100), Grant(.relay)])
    schedule.add([Grant(.viewer, on: nil, expiresMilliseconds: 50)])
    #expect(!isDue(0, at: 49))
    #expect(isDue(0, at: 50))
    // Whoever stays says so again.
    #expect(!isDue(0, at: 200))
    schedule.add([Grant(.viewer, on: nil, expiresMilliseconds: 300)])
    #expect(isDue(1, at: 201))
    #expect(!isDue(1, at: 400))
    // A look that failed is no look.
    schedule.failed()
    #expect(isDue(1, at: 401))
    #expect(!isDue(1, at: 402))
  }
}
