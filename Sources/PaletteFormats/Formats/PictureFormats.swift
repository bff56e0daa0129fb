internal import PaletteJSON
internal import PaletteModel

/// A page that shows the palette by itself, for people without any tool.
struct HTMLFormat: FileFormat {
  let name = "html"
  let title = "Web page"
  let extensions = ["html", "htm"]
  let contentType = "text/html; charset=utf-8"
  let reads = false
  let keeps: KeptContent = .all

  func match(_ file: FileProbe) -> FormatMatch { .none }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents { throw .onlyWritten(name) }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let title = sheet.name.escapedForXML
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      :root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif; }
      body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
      ol { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); \
      list-style: none; padding: 0; }
      .swatch { border-radius: 0.5rem; border: 1px solid #8886; height: 6rem; }
      .name { font-weight: 600; overflow-wrap: anywhere; }
      code, .note { display: block; font-size: 0.85em; overflow-wrap: anywhere; opacity: 0.85; }
      </style>
      </head>
      <body>
      <h1>\(title)</h1>
      <ol>

      """
    for named in sheet.colors {
      let css = named.color.stylesheetText
      text += "<li><div class=\"swatch\" style=\"background: \(css.escapedForXML)\"></div>"
      text += "<span class=\"name\">\(named.name.escapedForXML)</span>"
      text += "<code>\(css.escapedForXML)</code>"
      if !named.note.isEmpty { text += "<span class=\"note\">\(named.note.escapedForXML)</span>" }
      text += "</li>\n"
    }
    return Array((text + "</ol>\n</body>\n</html>\n").utf8)
  }
}

/// A drawing of the palette with its names.
struct SVGFormat: FileFormat {
  let name = "svg"
  let title = "Drawing (SVG)"
  let extensions = ["svg"]
  let contentType = "image/svg+xml"
  let reads = false
  let keeps: KeptContent = [.title, .names, .notes, .alpha]

  private static let columns = 8
  private static let side = 96

  func match(_ file: FileProbe) -> FormatMatch { .none }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents { throw .onlyWritten(name) }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let columns = min(Self.columns, max(1, sheet.colors.count))
    let rows = max(1, (sheet.colors.count + columns - 1) / columns)
    let (width, height) = (columns * Self.side, rows * (Self.side + 24))
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)">
      <title>\(sheet.name.escapedForXML)</title>

      """
    for (index, named) in sheet.colors.enumerated() {
      let x = index % columns * Self.side
      let y = index / columns * (Self.side + 24)
      let opacity = named.color.alpha == 1 ? "" : " fill-opacity=\"\(named.color.alpha ?? 0)\""
      let name = named.name.escapedForXML
      let shown = named.name.count > 14 ? String(named.name.prefix(13)) + "…" : named.name
      let label = named.note.isEmpty ? name : "\(name): \(named.note.escapedForXML)"
      text += "<g><title>\(label)</title><rect x=\"\(x)\" y=\"\(y)\" width=\"\(Self.side)\""
      text += " height=\"\(Self.side)\" fill=\"\(named.color.opaque.hex)\"\(opacity)/>"
      text += "<text x=\"\(x + 4)\" y=\"\(y + Self.side + 16)\" font-family=\"sans-serif\""
      text += " font-size=\"12\">\(shown.escapedForXML)</text></g>\n"
    }
    return Array((text + "</svg>\n").utf8)
  }
}

/// A picture of the palette: a square a color, row by row.
struct PNGFormat: FileFormat {
  let name = "png"
  let title = "Picture (PNG)"
  let extensions = ["png"]
  let contentType = "image/png"
  let reads = false
  let keeps: KeptContent = [.alpha]

  private static let columns = 16
  private static let side = 32
  private static let limit = 16_384

  func match(_ file: FileProbe) -> FormatMatch { .none }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents { throw .onlyWritten(name) }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    guard !sheet.colors.isEmpty else { throw .badFile("a picture of no colors has no size") }
    guard sheet.colors.count <= Self.limit else {
      throw .badFile("a picture shows at most \(Self.limit) colors, not \(sheet.colors.count)")
    }
    let columns = min(Self.columns, sheet.colors.count)
    let rows = (sheet.colors.count + columns - 1) / columns
    var picture = PNGWriter(width: columns * Self.side, height: rows * Self.side)
    for row in 0..<rows {
      var line: [UInt8] = []
      for column in 0..<columns {
        let index = row * columns + column
        var pixel: [UInt8] = [0, 0, 0, 0]
        if index < sheet.colors.count {
          let color = sheet.colors[index].color
          let rgb = color.shownBytes
          let alpha = UInt8((min(1, max(0, color.alpha ?? 0)) * 255).rounded())
          pixel = [rgb.red, rgb.green, rgb.blue, alpha]
        }
        for _ in 0..<Self.side { line += pixel }
      }
      for _ in 0..<Self.side { picture.append(line: line) }
    }
    return picture.finished()
  }
}

/// Colors as constants of SwiftUI.
struct SwiftFormat: FileFormat {
  let name = "swift"
  let title = "Swift constants (SwiftUI)"
  let extensions = ["swift"]
  let contentType = "text/plain; charset=utf-8"
  let reads = false
  let keeps: KeptContent = [.title, .names, .notes, .alpha]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "false", "fileprivate", "for", "func", "guard", "if",
    "import",
    "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  func match(_ file: FileProbe) -> FormatMatch { .none }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents { throw .onlyWritten(name) }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var types = FileNames(.camelCase)
    let type = types.identifier(for: sheet.name)
    var text = "import SwiftUI\n\n\(Self.comment(sheet.name)).\n"
    text += "enum \(type.prefix(1).uppercased() + type.dropFirst()) {\n"
    var names = FileNames(.camelCase)
    for named in sheet.colors {
      let name = names.identifier(for: named.name)
      for line in ([named.name] + named.note.split(separator: "\n").map(String.init)) {
        text += "  \(Self.comment(line))\n"
      }
      text += "  static let \(Self.keywords.contains(name) ? "`\(name)`" : name) = "
      text += Self.initializer(of: named.color) + "\n"
    }
    return Array((text + "}\n").utf8)
  }

  private static func initializer(of color: Color) -> String {
    let isP3 = color.bytes8 == nil && !color.converted(to: .srgb).isInGamut
    let p3 = color.converted(to: .displayP3).gamutMapped.components.map { $0 ?? 0 }
    let parts = isP3 ? p3 : color.shownParts
    let texts = zip(["red", "green", "blue"], parts).map { "\($0): \(JSON($1).text)" }
    let opacity = color.alpha == 1 ? "" : ", opacity: \(JSON(color.alpha ?? 0).text)"
    return "Color(\(isP3 ? ".displayP3" : ".sRGB"), \(texts.joined(separator: ", "))\(opacity))"
  }

  private static func comment(_ text: String) -> String {
    Quoting.lineComment("///").quoted(TextRule.name.cleaned(text) ?? "Colors")
  }
}
