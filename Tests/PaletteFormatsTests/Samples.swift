import PaletteModel
import PaletteTestSupport

@testable import PaletteFormats

/// Palettes for tests of readers and writers.
enum Samples {
  static func id(_ number: UInt64) -> RecordID {
    RecordID(high: 0x1111_2222_3333_4444, low: 0x8000_0000_0000_0000 | number)
  }

  static func named(
    _ number: UInt64,
    _ name: String,
    _ color: Color = Color(.srgb, 1, 0, 0),
    note: String = ""
  ) -> NamedColor {
    NamedColor(id: id(number), name: name, color: color, note: note)
  }

  static let colors = [
    named(1, "Coral", Color(red8: 255, green8: 127, blue8: 80)),
    named(
      2,
      "Half \"black\"",
      Color(red8: 0, green8: 0, blue8: 0, alpha8: 128),
      note: "two\nlines"
    ),
    named(3, "Caf\u{E9}", Color(.oklch, 0.7, 0.1, 200)),
  ]

  /// A linked file after a change of its palette.
  static func patched(
    _ bytes: [UInt8],
    _ format: String,
    title: String? = nil,
    _ change: (inout [NamedColor]) -> Void
  ) throws -> [UInt8] {
    let format = try FormatRegistry.standard.format(named: format)
    var random = SeededRandom(seed: 1)
    var colors = [].importing(try format.read(bytes).entries, using: &random)
    let ids = colors.map(\.id)
    change(&colors)
    return try format.patched(bytes, ids: ids, title: title, to: sheet(colors))
  }

  static func patched(
    _ text: String,
    _ format: String,
    _ change: (inout [NamedColor]) -> Void
  ) throws -> String {
    String(decoding: try patched(Array(text.utf8), format, change), as: UTF8.self)
  }

  static func sheet(_ colors: [NamedColor] = colors) -> PaletteSheet {
    PaletteSheet(
      id: PaletteID(id(99)),
      name: "Reef",
      digest: "00112233445566778899aabbccddeeff",
      colors: colors,
      conflicts: [id(2): ["name", "color"]]
    )
  }
}
