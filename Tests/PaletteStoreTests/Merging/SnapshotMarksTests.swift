import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What a snapshot says of changes that its sender does not hold yet.
struct SnapshotMarksTests {
  @Test(arguments: [true, false])
  func whatWasReplacedAheadStaysReplaced(isDeleted: Bool) throws {
    let palette = PaletteID(RecordID(high: 1, low: 1))
    let record = RecordID(high: 2, low: 2)
    var author = PaletteState(palette)
    let added = try author.author(
      .add(
        record,
        [
          .name: RegisterValue(text: "first"), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [9]),
        ]
      ),
      by: NodeID(1),
      at: Stamp(milliseconds: 1)
    )
    let edit: Edit =
      isDeleted ? .delete(record) : .set(record, [.name: RegisterValue(text: "second")])
    let edited = try author.author(edit, by: NodeID(2), at: Stamp(milliseconds: 2))
    // Someone who holds the edit, and not what it was made of.
    var sender = PaletteState(palette)
    try sender.merge(edited)

    let library = try TemporaryLibrary()
    let store = try ChangeStore(
      writing: library.folder,
      random: SeededRandom(seed: 1),
      milliseconds: { 10 }
    )
    #expect(try store.merge(sender.snapshot, into: palette).refusal == nil)
    try store.merge([added], into: palette)
    #expect(try store.digest(of: palette) == author.digest)
    #expect(try store.verify(palette) == [])
    let names = try store.liveValues(of: record, in: palette).filter {
      $0.value.register == .name
    }
    #expect(names.count == 1)
    #expect(names.first?.value.isCovered == isDeleted)
  }
}
