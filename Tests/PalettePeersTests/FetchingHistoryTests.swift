import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// History that is fetched when somebody asks for it.
struct FetchingHistoryTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  @Test func aPeerGivesWhatWasForgottenHere() throws {
    let fleet = try CoreFleet(count: 2, seed: 3)
    let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
    try fleet.act([named], in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.settle()
    for number in 0..<1_500 {
      let edit = Edit.set(Self.palette.record, [.name: RegisterValue(text: "p\(number)")])
      try fleet.members[number % 2].store.act([edit], in: Self.palette)
      if number % 100 == 0 { try fleet.settle() }
    }
    try fleet.settle()
    let member = fleet.members[1]
    let history = try fleet.members[0].store.history(of: Self.palette)
    _ = try member.store.compact(Self.palette, beforeMilliseconds: .max)
    #expect(try member.store.history(of: Self.palette).count < 10)
    let digest = try member.store.digest()
    #expect(try member.core.fetchHistory(of: Self.palette))
    try fleet.carryOut(member.core.effects, of: 1)
    try fleet.deliver(limit: 10_000)
    #expect(member.core.settledHistory == [Self.palette])
    #expect(try member.store.history(of: Self.palette) == history)
    #expect(try member.store.digest() == digest)
    #expect(try member.store.historySince(of: Self.palette) == nil)
    #expect(fleet.problems == [])
    // Nothing is missing any more, and nobody is asked.
    #expect(try !member.core.fetchHistory(of: Self.palette))
  }

  @Test func answersThatBringNothingEnd() {
    let node = NodeID(1)
    var fetch = HistoryFetch(
      from: PeerConnectionID(rawValue: 1),
      upTo: [node: Dot.lastSequence],
      at: 0
    )
    func takes(_ last: UInt32, _ changes: [[UInt8]]) -> Bool {
      let history = OldHistory(
        palette: Self.palette,
        node: node,
        last: last,
        sinceMilliseconds: nil,
        changes: changes
      )
      return fetch.add(history, at: 1)
    }
    #expect(!takes(1, []))
    #expect(takes(1, [[0]]))
    #expect(fetch.question?.numbers == 2...Dot.lastSequence)
    // Nobody's history is that long.
    let much = [UInt8](repeating: 0, count: HistoryFetch.byteLimit)
    #expect(!takes(2, [much]))
    #expect(fetch.parts[node]?.changes.count == 1)
  }

  @Test func whoeverIsNotAnsweredGivesUp() throws {
    let fleet = try CoreFleet(count: 2, seed: 4)
    let member = fleet.members[1]
    let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
    try fleet.act([named], in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.settle()
    for name in ["a", "b"] {
      let edit = Edit.set(Self.palette.record, [.name: RegisterValue(text: name)])
      try fleet.act([edit], in: Self.palette, at: 0)
    }
    try fleet.settle()
    _ = try member.store.compact(Self.palette, beforeMilliseconds: .max)
    #expect(try member.core.fetchHistory(of: Self.palette))
    #expect(member.core.settledHistory.isEmpty)
    fleet.clock.milliseconds += HistoryFetch.patienceMilliseconds + 1
    try fleet.tick(1)
    #expect(member.core.settledHistory == [Self.palette])
    try fleet.cut(1)
    #expect(try !member.core.fetchHistory(of: Self.palette))
  }
}
