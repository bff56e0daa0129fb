import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// In which order authors' changes lie in the table: what comes from others goes to its end.
struct StreamOrderTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let others = [NodeID(77), NodeID(78)]

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
  }

  private func palette(_ number: UInt64) -> PaletteID { PaletteID(RecordID(high: 1, low: number)) }

  private func name(_ palette: PaletteID) throws {
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: palette)
        .act([.add(palette.record, [.name: RegisterValue(text: "P")])])
    }
  }

  private func receive(from node: NodeID, in palette: PaletteID) throws {
    let value = RegisterValue(text: "Q")
    let change = Change(
      dot: Dot(node, 1),
      stamp: Stamp(milliseconds: 5),
      previous: 0,
      record: palette.record,
      kind: .set,
      writes: [Change.Write(.name, saw: [], value: value)],
      covers: [],
      frontier: []
    )
    try store.merge([change.encoded], into: palette)
  }

  /// The authors of a palette in the order of their changes.
  private func authors(of palette: PaletteID) throws -> [NodeID] {
    var found: [NodeID] = []
    let select = try store.database.connection.prepare(
      "SELECT node FROM stream WHERE palette = (SELECT id FROM palette WHERE uuid = ?1) ORDER BY id"
    )
    try select.bind(palette.record.bytes, at: 1)
    try select.rows { found.append(NodeID(UInt64(bitPattern: $0.int64(0)))) }
    return found
  }

  @Test func ownChangesLieBeforeOthers() throws {
    for number in 1...3 as ClosedRange<UInt64> {
      for other in others { try receive(from: other, in: palette(number)) }
      try name(palette(number))
      #expect(try authors(of: palette(number)) == [store.node] + others)
    }
  }

  @Test func whoeverBeginsIsFirst() throws {
    try name(palette(1))
    for other in others { try receive(from: other, in: palette(1)) }
    #expect(try authors(of: palette(1)) == [store.node] + others)
  }

  /// One number is left free, for one id of this library.
  @Test func aTakenNumberIsNotTakenAgain() throws {
    try name(palette(1))
    try name(palette(2))
    try receive(from: others[0], in: palette(3))
    try name(palette(3))
    let former = store.node
    try store.write { _ throws(StoreError) in try store.identity.adoptNode() }
    #expect(store.node != former)
    for number in 1...3 as ClosedRange<UInt64> { try name(palette(number)) }
    #expect(try authors(of: palette(1)) == [former, store.node])
    #expect(try authors(of: palette(2)) == [former, store.node])
    #expect(try authors(of: palette(3)) == [former, others[0], store.node])
    for number in 1...3 as ClosedRange<UInt64> {
      #expect(try store.verify(palette(number)).isEmpty)
    }
  }
}
