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

extension APIError {
  /// A color that is listed lacks what every color has.
  static func incomplete(_ color: RecordID) -> APIError {
    APIError(code: "failed", message: "the color \(color) is incomplete")
  }
}
