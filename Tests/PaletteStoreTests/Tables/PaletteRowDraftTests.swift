import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A palette's row as a transaction leaves it, alone.
struct PaletteRowDraftTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let draft: PaletteRowDraft

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    let row = PaletteRow(id: PaletteID(RecordID(high: 0, low: 1)))
    draft = PaletteRowDraft(row, numbers: RowNumbers(store.database))
  }

  private func digest(_ number: UInt32) -> Digest {
    Digest(NodeID(1), StreamHead(sequence: number, link: UInt64(number)))
  }

  @Test func whatIsTakenOutOfTheDigestIsGone() {
    draft.add(digest(1))
    let one = draft.row.digest
    draft.add(digest(2))
    draft.subtract(digest(2))
    #expect(draft.row.digest == one && one != .zero)
    draft.subtract(digest(1))
    #expect(draft.row.digest == .zero)
    #expect(draft.stored.digest == .zero)
  }

  @Test func arrivalsAreNumberedOnWithoutGaps() {
    #expect([draft.nextArrival(), draft.nextArrival()] == [0, 1])
    draft.skipArrivals(to: 10)
    #expect(draft.nextArrival() == 10 && draft.row.arrivals == 11)
  }

  @Test func thePastOnlyGetsShorterUntilItIsAllHere() {
    draft.forgetPast(beforeMilliseconds: 100)
    draft.forgetPast(beforeMilliseconds: 50)
    #expect(draft.row.sinceMilliseconds == 100)
    draft.setPast(sinceMilliseconds: nil)
    #expect(draft.row.sinceMilliseconds == nil)
  }

  @Test func theRowGetsItsNumberOnceAndIsWrittenWhole() throws {
    try draft.begin()
    let number = draft.row.number
    try draft.begin()
    #expect(draft.row.number == number && number > 0)
    draft.setTitle("Sea")
    draft.count(colors: 2, conflicts: 1)
    draft.raiseBound(to: RegisterValue(placeBytes: [0x80]))
    draft.raiseBound(to: RegisterValue(placeBytes: [0x40]))
    try store.write { _ throws(StoreError) in
      try draft.write(isDropped: false, isRebuilt: false, to: store.database)
    }
    let row = try #require(try store.paletteRow(draft.row.id))
    #expect(row.number == number && row.title == "Sea" && row.colors == 2 && row.conflicts == 1)
    #expect(row.last == Place(bytes: [0x80]) && !row.isDropped)
  }
}
