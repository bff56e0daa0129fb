internal import PaletteModel
internal import PaletteStore

/// One call of a verb: its arguments and the library that it is about.
struct LibraryCall {
  let parameters: Parameters
  let library: any LibraryAccess

  /// Answers from one state of a palette, whatever is written meanwhile.
  func readingPalette<Answer>(
    _ body: (ChangeStore, PaletteSummary) throws -> Answer
  ) throws -> Answer {
    let argument = try parameters.text("palette")
    guard let store = try library.reading() else { throw Self.missing(argument) }
    return try store.read { try body(store, try store.visiblePalette(argument)) }
  }

  /// Opens the library for writing and finds the palette that is to be changed.
  func editedPalette() throws -> (store: ChangeStore, palette: PaletteSummary) {
    let argument = try parameters.text("palette")
    guard let store = try library.editing() else { throw Self.missing(argument) }
    return (store, try store.visiblePalette(argument))
  }

  /// The error where there is no library, and so no palette.
  static func missing(_ argument: String) -> APIError {
    APIError(
      code: "not-found",
      message: "there is no palette '\(argument)'",
      hint: "there are no palettes here yet; 'hued new NAME' makes one"
    )
  }
}
