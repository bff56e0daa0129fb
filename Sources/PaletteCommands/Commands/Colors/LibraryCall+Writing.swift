internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension LibraryCall {
  /// Writes registers of the color that the call is about.
  func write(_ values: [Register: RegisterValue]) throws -> RecordAnswer {
    let argument = try parameters.text("color")
    let (store, palette) = try editedPalette()
    let record = try store.listedColor(argument, in: palette.id)
    let seen = try seen(of: record, in: palette.id, store)
    let writes = try values.filter { register, value in
      // A text that was never written is empty already.
      try !Register.optional.contains(register) || value != RegisterValue(text: "")
        || store.liveValues(of: record, in: palette.id).contains { $0.value.register == register }
    }
    if !writes.isEmpty {
      let writes = writes.sorted { $0.key < $1.key }.map { Change.Write($0.key, value: $0.value) }
      try store.act([.set(record, writes: writes).seeing(seen)], in: palette.id, by: author)
    }
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

  /// The command with its value and the argument before or after it exchanged; nil where that names nothing
  /// either.
  private func swappedArguments() throws -> String? {
    let (palette, value) = (try parameters.text("palette"), try parameters.text("value"))
    guard let store = try library.reading() else { return nil }
    return try store.read {
      if let color = try parameters.optionalText("color") {
        _ = try Color(argument: color)
        _ = try store.listedColor(value, in: try store.visiblePalette(palette).id)
        return line(["set", palette, value, color])
      }
      if let name = try parameters.optionalText("name"), (try? Color(argument: name)) != nil {
        return line(["add", palette, name, value])
      }
      _ = try Color(argument: palette)
      _ = try store.visiblePalette(value)
      return line(["add", value, palette])
    }
  }

  /// A command as it is typed; nil where it has characters that mean something to a shell even in quotes.
  private func line(_ words: [String]) -> String? {
    guard !words.joined().contains(where: { "\"'$`\\!\n".contains($0) }) else { return nil }
    let typed = words.map { word in
      let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
      return isPlain ? word : "\"\(word)\""
    }
    return "hued \(typed.joined(separator: " "))"
  }
}

extension APIError {
  /// A color that is listed lacks what every color has.
  static func incomplete(_ color: RecordID) -> APIError {
    APIError(code: "failed", message: "the color \(color) is incomplete")
  }
}
