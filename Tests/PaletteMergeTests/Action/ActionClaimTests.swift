import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// What authors say of their actions, as bytes that anybody may have written.
struct ActionClaimTests {
  private static let node = NodeID(7)

  private func change(_ value: RegisterValue, _ record: RecordID? = nil) -> Change {
    Change(
      dot: Dot(Self.node, 1),
      stamp: Stamp(rawValue: 1),
      previous: 0,
      record: record ?? .actions(of: Self.node),
      kind: .set,
      writes: [Change.Write(.action, value: value)]
    )
  }

  private static let claims: [ActionClaim] = [
    .sort(.hue), .sort(.name), .import(file: "brand.css", others: 0),
    .import(file: "Ä b.ase", others: 12), .undo(Stamp(rawValue: .max), nil),
    .redo(Stamp(rawValue: 5), NodeID(.max)), .revertToTime(1_700_000_000_000),
    .revertToAction(Stamp(rawValue: 9), NodeID(3)), .revertToAction(Stamp(rawValue: 9), nil),
  ]

  @Test(arguments: ActionClaimTests.claims)
  func isReadAsItWasWritten(_ claim: ActionClaim) throws {
    let change = change(RegisterValue(claim: claim))
    #expect(change.actionClaim == claim)
    let palette = PaletteID(RecordID(high: 1, low: 1))
    #expect(try Change(decoding: change.encoded, in: palette) == change)
  }

  /// Anything else says nothing, and is kept as any register that a version does not know.
  @Test(arguments: [
    [0x01], [0x80], [0x82, 0x01, 0x04], [0x82, 0x01, 0x20], [0x82, 0x07, 0x01],
    [0x83, 0x02, 0x61, 0x0A, 0x00], [0x83, 0x02, 0x60, 0x00], [0x83, 0x02, 0x61, 0x20, 0x00],
    [0x84, 0x03, 0x01, 0x02, 0x03], [0x82, 0x05, 0x61, 0x78], [0xF6],
  ])
  func strangeBytesSayNothing(_ bytes: [UInt8]) {
    let change = change(RegisterValue(encoded: bytes))
    #expect(change.describesAction && change.actionClaim == nil)
  }

  @Test func aLongNameOfAFileSaysNothing() {
    let file = String(repeating: "x", count: 256)
    let claim = ActionClaim.import(file: file, others: 0)
    #expect(change(RegisterValue(claim: claim)).actionClaim == nil)
    #expect(ActionClaim.importing([]) == nil)
    #expect(ActionClaim.importing(["a\u{7}b", "c"]) == .import(file: "a b", others: 1))
  }

  /// A color is none of these records, whatever register somebody writes there.
  @Test func aColorDescribesNoAction() {
    let value = RegisterValue(claim: .sort(.hue))
    #expect(!change(value, RecordID(high: 1, low: 2)).describesAction)
  }

  @Test func actionsHaveNamesThatSort() throws {
    let first = ActionID(Stamp(milliseconds: 5), by: NodeID(9))
    let second = ActionID(Stamp(milliseconds: 5, counter: 1), by: NodeID(1))
    #expect(first < second && first.description < second.description)
    #expect(ActionID(first.description) == first)
    for text in ["", "5:9", "0000000000050000", "0000000000050000:9", "\(first):1", " \(first)"] {
      #expect(ActionID(text) == nil, "\(text)")
    }
  }
}
