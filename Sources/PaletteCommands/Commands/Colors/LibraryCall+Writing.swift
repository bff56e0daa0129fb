internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension LibraryCall {
  /// Writes one register of the color that the call is about.
  func write(
    _ register: Register,
    _ value: RegisterValue
  ) throws -> RecordAnswer {
    let argument = try parameters.text("color")
    let (store, palette) = try editedPalette()
    let record = try store.listedColor(argument, in: palette.id)
    let seen = try seen(of: record, in: palette.id, store)
    if register == .note, value == RegisterValue(text: ""),
      try store.liveValues(of: record, in: palette.id).allSatisfy({ $0.value.register != .note })
    {
      // A note that was never written is empty already.
      return try store.answer(about: record, in: palette.id)
    }
    try store.act([.set(record, [register: value]).seeing(seen)], in: palette.id, by: author)
    return try store.answer(about: record, in: palette.id)
  }
}

extension LibraryCall {
  /// The color that the call gives as its value.
  ///
  /// - Throws: `bad-color`; the hint for swapped arguments is the command with their right order.
  func value() throws -> Color {
    do throws(APIError) {
      return try parameters.color("value")
    } catch {
      guard let swapped = try? swappedArguments() else { throw error }
      throw APIError(code: error.code, message: error.message, hint: "did you mean '\(swapped)'?")
    }
  }

  /// The command with its value and the argument before it exchanged; nil where that names nothing either.
  private func swappedArguments() throws -> String? {
    let (palette, value) = (try parameters.text("palette"), try parameters.text("value"))
    guard let store = try library.reading() else { return nil }
    return try store.read {
      if let color = try parameters.optionalText("color") {
        _ = try Color(argument: color)
        _ = try store.listedColor(value, in: try store.visiblePalette(palette).id)
        return "hued set \(palette) \(value) \(color)"
      }
      _ = try Color(argument: palette)
      _ = try store.visiblePalette(value)
      return "hued add \(value) \(palette)"
    }
  }
}

extension APIError {
  /// A color that is listed lacks what every color has.
  static func incomplete(_ color: RecordID) -> APIError {
    APIError(code: "failed", message: "the color \(color) is incomplete")
  }
}
