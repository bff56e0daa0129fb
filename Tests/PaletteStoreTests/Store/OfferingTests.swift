import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Which changes count as given away, so that their stamps stay as they are.
struct OfferingTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let first: PaletteID
  private let second: PaletteID

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    first = try store.makePalette(named: "First")
    second = try store.makePalette(named: "Second")
  }

  private func rename(_ palette: PaletteID) throws {
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: palette)
      try writer.author(.set(palette.record, [.name: RegisterValue(text: "Renamed")]))
    }
  }

  /// The palettes with changes that have not left, so far as the library knows.
  private func unoffered() throws -> Set<PaletteID> {
    let hour: Int64 = 3_600_000
    let shift = StampShift(milliseconds: hour, nowMilliseconds: store.nowMilliseconds + hour)
    return Set(try store.restamping(shift).keys)
  }

  @Test func allCountAsGivenAwayWhereItIsNotKnownWhichAreNew() throws {
    #expect(try unoffered() == [first, second])
    #expect(try store.endOffering() == false)
    #expect(try unoffered() == [first, second])
    try store.beginOffering()
    #expect(try store.endOffering() == true)
    #expect(try unoffered().isEmpty)
  }

  @Test func ofSomePalettesOnlyThoseAreWritten() throws {
    try store.beginOffering()
    try store.endOffering()
    try rename(first)
    try rename(second)
    #expect(try unoffered() == [first, second])
    try store.beginOffering()
    #expect(try store.endOffering(of: [first]) == true)
    #expect(try unoffered() == [second])
    #expect(try store.endOffering(of: [second]) == false)
    try store.beginOffering()
    try store.endOffering(of: [])
    #expect(try unoffered() == [second])
    try store.beginOffering()
    try store.endOffering(of: [second])
    #expect(try unoffered().isEmpty)
  }

  @Test func whatWasMadeBeforeTheLibraryWasRecoveredMayHaveLeft() throws {
    // These files know of nothing that has left, which may be because they are older than that.
    try store.adoptNewNode()
    #expect(try unoffered().isEmpty)
    try rename(second)
    #expect(try unoffered() == [second])
  }
}
