internal import PaletteFormats
package import PaletteJSON
internal import PaletteModel

/// Colors as lines of text: a CSS color, and behind a tab a name.
package struct ColorLines {
  /// A line.
  package struct Entry: Sendable {
    /// The color, as it was written.
    package let value: String
    /// The name; nil where there is none.
    package let name: String?
  }

  /// The lines that hold something, in order.
  package let entries: [Entry]

  /// Reads lines; empty ones are left out.
  ///
  /// - Throws: `bad-color` with the number of the line that is none; `bad-usage` without any color.
  package init(_ bytes: [UInt8]) throws(APIError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw APIError(code: "bad-value", message: "the standard input is no text in UTF-8")
    }
    var entries: [Entry] = []
    // A name may hold other characters that end a line elsewhere, such as U+2028.
    let lines = text.trimmingPrefix("\u{FEFF}").split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }
    for (index, line) in lines.enumerated() {
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      let value = String(parts[0]).trimmed
      let name = parts.count > 1 ? String(parts[1]).trimmed : ""
      if value.isEmpty, name.isEmpty { continue }
      do throws(APIError) {
        _ = try Color(argument: value)
      } catch {
        let message = "line \(index + 1): \(error.message)"
        throw APIError(code: error.code, message: message, hint: error.hint)
      }
      entries.append(Entry(value: value, name: name.isEmpty ? nil : name))
    }
    guard !entries.isEmpty else {
      throw APIError(
        code: "bad-usage",
        message: "the standard input has no colors",
        hint: "write one a line, as CSS, with a name behind a tab where it has one"
      )
    }
    self.entries = entries
  }

  /// The colors as the argument `colors` of `add`.
  package var document: JSON {
    JSON(
      entries.map { entry in
        JSON([("value", JSON(entry.value))] + (entry.name.map { [("name", JSON($0))] } ?? []))
      }
    )
  }
}
