import PaletteModel

@testable import PaletteFormats

extension FuzzTarget {
  /// One target for each format that can be read.
  static let fileReaders = FormatRegistry.standard.formats.filter(\.reads).map { format in
    FuzzTarget(
      name: "file-\(format.name)",
      summary: "a file in the format \(format.title)",
      words: words,
      seeds: { try fileSeeds(of: format) },
      check: { try checkFile($0, format) }
    )
  }

  /// Any file, of which nobody says what it is.
  static let files = FuzzTarget(
    name: "files",
    summary: "a file of an unknown format",
    words: words,
    seeds: {
      try FormatRegistry.standard.formats.filter(\.reads).flatMap { try fileSeeds(of: $0) }
    },
    check: { bytes in
      // One name for each input, since all formats look at it.
      let names = ["file", "a.hex", "b.txt", "c.json"]
      let name = names[bytes.count % names.count]
      guard let (format, contents) = try? FormatRegistry.standard.read(bytes, named: name) else {
        return
      }
      let again = try FormatRegistry.standard.read(bytes, named: name, as: format.name)
      try ensure(again.contents == contents, "named, the format reads something else")
    }
  )

  /// Changing a file reads it up to eight times, so it has a target of its own.
  static let patches: FuzzTarget = {
    let formats = FormatRegistry.standard.formats.filter { $0.reads && $0.writes }
    return FuzzTarget(
      name: "patches",
      summary: "a file that is changed where it stands, its format before it",
      words: words,
      seeds: {
        try formats.enumerated().flatMap { index, format in
          try fileSeeds(of: format).map { [UInt8(index)] + $0 }
        }
      },
      check: { bytes in
        guard let first = bytes.first else { return }
        let (format, file) = (formats[Int(first) % formats.count], Array(bytes.dropFirst()))
        guard let contents = try? format.read(file) else { return }
        try checkPatch(file, contents, format)
      }
    )
  }()

  private static let words = [
    "#", "rgb(", "\t", "\r\n", "\u{FEFF}", ";", "\"colors\"", "\"color\"", "\"hex\"", "\"name\"",
    "\"note\"", "\"palette\"", "$value", "\"value\"", "{a.b}", ":root {", "--a:", "$a:", "@a:",
    "@theme", "/*",
    "<color", "<resources>", "module.exports", "colors", "PK\u{3}\u{4}", "name,color",
    "KDE RGB Palette", "\"id\"", "tomato", "aabbcc",
  ]

  private static func fileSeeds(of format: any FileFormat) throws -> [[UInt8]] {
    let colors = try ["tomato", "oklch(70% 0.15 250)", "rgb(1 2 3 / 50%)"].enumerated().map {
      NamedColor(
        id: RecordID(high: 1, low: UInt64($0.offset)),
        name: "n\($0.offset)",
        color: try Color(css: $0.element),
        note: "a\nb"
      )
    }
    let extra = ["\u{FEFF}#abc\r\n;c\r\nff0000\n", "red\tRipe\nrgb(1 2 3) Sky\n", "\n", "x\n"]
    let written = format.writes ? [colors, []] : []
    return try written.map { try format.write(sheet($0)) } + extra.map { Array($0.utf8) }
  }

  private static func sheet(_ colors: [NamedColor]) -> PaletteSheet {
    PaletteSheet(
      id: Examples.palette,
      name: "Sea",
      digest: String(repeating: "0", count: 32),
      colors: colors
    )
  }

  /// A file that is changed where it stands says what is wanted afterwards, and stays as it is where
  /// nothing is.
  private static func checkPatch(
    _ bytes: [UInt8],
    _ contents: FileContents,
    _ format: any FileFormat
  ) throws {
    var colors = contents.entries.colors
    let same = try? format.patched(bytes, ids: colors.map(\.id), to: sheet(colors))
    try ensure(same == nil || same == bytes, "nothing changed, and the file is another")
    if !colors.isEmpty {
      colors[0].color = Examples.color
      colors.swapAt(0, colors.count - 1)
    }
    colors.append(
      NamedColor(id: RecordID(high: 3, low: 0), name: "New/one", color: Examples.color, note: "")
    )
    guard let whole = try? format.write(sheet(colors)) else { return }
    // What cannot be changed where it stands is left alone.
    guard let patched = try? format.patched(bytes, to: sheet(colors)) else { return }
    let found = try format.read(patched).entries.map(\.color.hex)
    guard !contents.hasFixedKeys else {
      // Its keys are its owner's: none comes, and none goes.
      return try ensure(found.count == contents.entries.count, "patched, it has other keys")
    }
    // Where the place of a color and its group disagree, the order is the file's own.
    let wanted = try format.read(whole).entries.map(\.color.hex)
    try ensure(found.sorted() == wanted.sorted(), "patched, it says something else")
  }

  private static func checkFile(_ bytes: [UInt8], _ format: any FileFormat) throws {
    let isRecognised = format.recognises(bytes)
    guard
      let contents = try accepted(bytes, { () throws(FormatError) in try format.read(bytes) })
    else { return }
    try ensure(!isRecognised || format.reads, "recognised, but not readable")
    guard format.writes else { return }
    // Some formats have room for a few colors only, and a picture needs one.
    guard let first = try? format.write(sheet(contents.entries.colors)) else { return }
    let read = try format.read(first)
    try ensure(read.skipped.isEmpty, "its own writing is skipped: \(read.skipped)")
    try ensure(read.entries.count == contents.entries.count, "colors are lost")
    let second = try format.write(sheet(read.entries.colors))
    try ensure(first == second, "written twice, it differs")
  }
}

extension [FileEntry] {
  /// The entries as colors of a palette.
  fileprivate var colors: [NamedColor] {
    enumerated().map { index, entry in
      NamedColor(
        id: entry.id ?? RecordID(high: 2, low: UInt64(index)),
        name: entry.name ?? "",
        color: entry.color,
        note: entry.note ?? ""
      )
    }
  }
}
