import PaletteTestSupport
import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// A snapshot's rows keep the same rules whether they came plain or packed.
struct SnapshotRowCheckTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let unknown = Register(rawValue: 40)

  private static func change(_ sequence: UInt32, _ registers: [Register]) -> Change {
    Change(
      dot: Dot(NodeID(1), sequence),
      stamp: Stamp(milliseconds: 1),
      previous: 3,
      record: RecordID(high: 2, low: 1),
      kind: .set,
      writes: registers.map { .init($0, value: RegisterValue(text: "x")) }
    )
  }

  private typealias Row = (change: Change, live: [Register])

  private static func snapshot(_ rows: [Row], reaching last: UInt32 = 9) -> Snapshot {
    Snapshot(
      frontier: [NodeID(1): StreamHead(sequence: last, link: 5)],
      dropped: [:],
      highestWrite: [NodeID(1): last],
      ahead: [],
      rows: rows.map { Snapshot.Row(bytes: $0.change.encoded, live: $0.live, isCovered: false) }
    )
  }

  private static func isTaken(_ snapshot: Snapshot) -> Bool {
    var state = PaletteState(palette)
    return (try? state.merge(snapshot)) != nil
  }

  private static func isTakenPacked(_ snapshot: Snapshot) -> Bool {
    guard let parts = try? SnapshotPackingTests.pack(snapshot, palette, { _ in false }) else {
      return false
    }
    return (try? SnapshotPackingTests.unpack(parts, snapshot, palette)) != nil
  }

  @Test func bothTakeAndRefuseTheSame() {
    let both = Self.change(2, [.name, Self.unknown])
    let cases: [(Snapshot, isSound: Bool)] = [
      (Self.snapshot([(both, [.name])]), true),
      (Self.snapshot([(both, [.name, Self.unknown])]), true),
      (Self.snapshot([(both, [Self.unknown])]), true),
      // A register that the change does not write, known or not, and none at all.
      (Self.snapshot([(both, [.note])]), false),
      (Self.snapshot([(both, [.name, Register(rawValue: 41)])]), false),
      (Self.snapshot([(both, [])]), false),
      (Self.snapshot([(Self.change(2, [.name]), [Self.unknown])]), false),
      // Rows out of order, twice, beyond the frontier, and not the change that the frontier names.
      (Self.snapshot([(both, [.name]), (Self.change(1, [.name]), [.name])]), false),
      (Self.snapshot([(both, [.name]), (both, [.name])]), false),
      (Self.snapshot([(both, [.name])], reaching: 1), false),
      (Self.snapshot([(both, [.name])], reaching: 2), false),
    ]
    for (index, (snapshot, isSound)) in cases.enumerated() {
      #expect(Self.isTaken(snapshot) == isSound, "plain, case \(index)")
      #expect(Self.isTakenPacked(snapshot) == isSound, "packed, case \(index)")
    }
  }
}
