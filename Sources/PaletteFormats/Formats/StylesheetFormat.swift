internal import PaletteModel

/// Variables in a stylesheet: CSS, Tailwind's theme, SCSS and Less differ in little.
///
/// Names become identifiers; the comment behind a variable keeps the name as it was.
struct StylesheetFormat: FileFormat {
  let name: String
  let title: String
  let extensions: [String]
  let keeps: KeptContent = [.title, .names, .alpha, .spaces]
  var contentType: String {
    sigil == .css ? "text/css; charset=utf-8" : "text/plain; charset=utf-8"
  }
  private let sigil: DeclarationScanner.Sigil
  /// The common beginning of all names of colors.
  private var prefix = ""
  /// The block around the variables.
  private var block: String?

  /// Custom properties.
  static let css = Self("css", "CSS custom properties", ["css"], .css, block: ":root")
  /// The theme of Tailwind 4.
  static let tailwind = Self(
    "tailwind",
    "Tailwind 4 theme",
    ["css"],
    .css,
    prefix: "color-",
    block: "@theme"
  )
  /// Variables and maps of Sass.
  static let scss = Self("scss", "SCSS variables", ["scss"], .scss)
  /// Variables and maps of Less.
  static let less = Self("less", "Less variables", ["less"], .less)

  private init(
    _ name: String,
    _ title: String,
    _ extensions: [String],
    _ sigil: DeclarationScanner.Sigil,
    prefix: String = "",
    block: String? = nil
  ) {
    self.name = name
    self.title = title
    self.extensions = extensions
    self.sigil = sigil
    self.prefix = prefix
    self.block = block
  }

  private static let beginning = 4096

  private var isTheme: Bool { !prefix.isEmpty }

  func match(_ file: FileProbe) -> FormatMatch {
    guard file.firstByte != UInt8(ascii: "<"), file.json == nil else { return .none }
    // What is written on one line, as for browsers, shows at its beginning what it is.
    func lines(with mark: Unicode.Scalar) -> some Sequence<String> {
      let lines = file.lines.lazy.map { $0.text.beginning(Self.beginning) }
      return lines.filter { $0.utf8.contains(UInt8(ascii: mark)) }.map { String($0).trimmed }
    }
    if isTheme {
      let hasTheme = lines(with: "@").contains { $0.hasPrefix("@theme") }
      return FormatMatch(.certain, if: hasTheme && !hasVariablesAlone(file))
    }
    if sigil == .css, lines(with: ".").contains(where: { $0.hasPrefix(".") }),
      !colorRules(file).isEmpty
    {
      return .likely
    }
    let isDeclared = lines(with: ":").contains { line in
      guard let start = line.range(of: sigil.rawValue) else { return false }
      let isFirst = sigil == .css || start == line.startIndex
      let name = line[line.index(start, offsetBy: sigil.rawValue.count)...].drop {
        $0.isVariableName
      }
      return isFirst && name.drop { $0 == " " }.first == ":"
    }
    return FormatMatch(.likely, if: isDeclared)
  }

  /// Returns whether the colors of a theme all stand for variables of other names, which hold the colors.
  private func hasVariablesAlone(_ file: FileProbe) -> Bool {
    let values = DeclarationScanner(file.text.text, sigil).declarations
      .filter { $0.name.hasPrefix(prefix) }.map(\.value)
    return values.contains { $0.hasPrefix("var(") }
      && values.allSatisfy { $0.hasPrefix("var(") || $0 == "initial" }
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let rules = colorRules(file)
    if !rules.isEmpty { return FileContents(entries: rules) }
    let scanner = DeclarationScanner(file.text.text, sigil)
    guard !scanner.isCut else { throw .tooMany("variables", FileLimit.variables) }
    guard !scanner.budget.isSpent else { throw .longPaths }
    guard !scanner.isOpen else { throw .openBracket }
    var contents = FileContents()
    if let comment = scanner.firstComment {
      contents.title = comment.value(after: "Palette:").flatMap(TextRule.name.cleaned)
    }
    contents.titlePlace = titlePlace(in: scanner)
    // Most stylesheets are no palettes; an empty one that was written here says that it is.
    contents.isPalette = contents.title != nil
    let names = scanner.declarations.map(\.name).filter { $0.hasPrefix(prefix) }
    contents.taken = scanner.groupNames.union(names.map { String($0.dropFirst(prefix.count)) })
    var colors: [String: Color] = [:]
    for declaration in scanner.declarations {
      // A theme has other variables too.
      guard declaration.name.hasPrefix(prefix) else { continue }
      if let color = color(declaration.value, colors) {
        colors[declaration.name] = color
        contents.entries.append(entry(of: declaration, color, in: scanner))
      } else if isMeant(declaration.value) {
        let value = String(declaration.value[...].beginning(Color.textLimit).prefix(40))
        let reason = "'\(TextRule.name.cleaned(value) ?? "")' is not a color that can be read here"
        contents.skipped.append(SkippedEntry(at: "line \(declaration.line)", reason: reason))
      }
    }
    return contents
  }

  /// The title in the first comment, where nothing that ends a comment may come.
  private func titlePlace(in scanner: DeclarationScanner) -> TitlePlace? {
    let mark = Array("Palette:".utf8)
    let line = scanner.bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard scanner.firstComment?.hasPrefix("Palette:") ?? false,
      let start = line.indices.first(where: { line[$0...].starts(with: mark) })
    else { return nil }
    let isLine = line.starts(with: "//".utf8)
    let end =
      isLine
      ? line.endIndex
      : line.indices.first { $0 >= start + mark.count && line[$0...].starts(with: "*/".utf8) }
    guard let end else { return nil }
    return TitlePlace(range: (start + mark.count)..<end, quoting: .remark(hasEnd: !isLine))
  }

  /// The color of a value; SCSS and Less variables may stand for earlier ones.
  private func color(_ value: String, _ earlier: [String: Color]) -> Color? {
    guard sigil != .css else { return Color(fileText: value) }
    if value.hasPrefix(sigil.rawValue), value.utf8.last != UInt8(ascii: "]") {
      return earlier[String(value.dropFirst())]
    }
    return Color(fileText: value) ?? translucent(value, earlier)
      ?? key(of: value).flatMap { earlier[$0] }
  }

  /// The key in a map that a value is: `map-get($map, key)`, `map.get($map, key, key)`, `@map[key][key]`.
  private func key(of value: String) -> String? {
    guard value.utf8.count <= Color.textLimit else { return nil }
    if sigil == .less {
      guard value.hasPrefix("@"), value.hasSuffix("]") else { return nil }
      let parts = value.dropFirst().dropLast().split(separator: "[")
      return parts.map { $0.filter { !"@] ".contains($0) } }.joined(separator: "/")
    }
    let value = value.trimmed
    if value.hasPrefix("$") { return String(value.dropFirst()) }
    guard ["map-get(", "map.get("].contains(where: value.hasPrefix), value.hasSuffix(")") else {
      return nil
    }
    let inner = value.dropFirst("map-get(".count).dropLast()
    // The map may be the result of another call.
    let end = inner.lastIndex(of: ")").map(inner.index(after:)) ?? inner.startIndex
    guard let comma = inner[end...].firstIndex(of: ","),
      let map = key(of: String(inner[..<comma]))
    else { return nil }
    let keys = inner[inner.index(after: comma)...].split(separator: ",").map { part in
      DeclarationScanner.plain(String(part).trimmed)
    }
    return ([map] + keys).joined(separator: "/")
  }

  /// The color of `rgba(#336699, 0.5)` or `rgba($blue, 50%)`, which CSS does not have.
  private func translucent(_ value: String, _ earlier: [String: Color]) -> Color? {
    guard value.utf8.count <= Color.textLimit, value.hasPrefix("rgb"), value.hasSuffix(")"),
      let open = value.firstIndex(of: "(")
    else { return nil }
    let parts = value[value.index(after: open)...].dropLast().split(separator: ",")
      .map { String($0).trimmed }
    guard parts.count == 2, ["rgb", "rgba"].contains(value[..<open]),
      var color = self.color(parts[0], earlier)
    else { return nil }
    let isPercent = parts[1].hasSuffix("%")
    guard let alpha = Double(isPercent ? parts[1].dropLast() : parts[1][...]), alpha.isFinite
    else { return nil }
    color.alpha = min(1, max(0, isPercent ? alpha / 100 : alpha))
    return color
  }

  /// Returns whether a value that is no color looks as if it should be one: a size or a font is
  /// none.
  private func isMeant(_ value: String) -> Bool {
    let text = value[...].beginning(Color.textLimit).lowercased()
    if text.hasPrefix("#") || (sigil != .css && text.hasPrefix(sigil.rawValue)) { return true }
    let functions = [
      "rgb", "hsl", "hwb", "lab(", "lch(", "color", "lighten(", "darken(", "var(", "mix(",
      "light-dark(", "fade(", "saturate(", "desaturate(", "tint", "shade", "adjust", "scale-color(",
      "transparentize(", "map-get(", "map.get(",
    ]
    if functions.contains(where: { text.hasPrefix($0) || text.hasPrefix("ok" + $0) }) {
      return true
    }
    let words = text.split { $0 == " " || $0 == "," }
    return words.count == 3
      && words.allSatisfy { Double($0.hasSuffix("%") ? $0.dropLast() : $0) != nil }
  }

  private func entry(
    of declaration: DeclarationScanner.Declaration,
    _ color: Color,
    in text: DeclarationScanner
  ) -> FileEntry {
    let name = String(declaration.name.dropFirst(prefix.count))
    if let comment = declaration.comment.flatMap(TextRule.name.cleaned),
      FileNames.isIdentifier(name, of: comment, .dashes)
    {
      let place = place(of: declaration, isOwnComment: false, in: text)
      return FileEntry(name: comment, color: color, place: place)
    }
    return FileEntry(
      name: TextRule.name.cleaned(name),
      color: color,
      isIdentifier: true,
      place: place(of: declaration, isOwnComment: declaration.comment != nil, in: text)
    )
  }

  private func place(
    of declaration: DeclarationScanner.Declaration,
    isOwnComment: Bool,
    in scanner: DeclarationScanner
  ) -> EntryPlace {
    let text = scanner.bytes
    let ranges = declaration.ranges
    let isReference = sigil != .css && declaration.value.contains(sigil.rawValue)
    let value = EntrySlot(
      range: ranges.value,
      meaning: isReference ? .reference(.none) : .color()
    )
    var prefix = ""
    var slots: [EntrySlot]
    if declaration.isElement {
      return EntryPlace(range: ranges.value, lineEnd: nil, slots: [value])
    }
    if declaration.groups.isEmpty {
      let start = ranges.name.lowerBound + self.prefix.utf8.count
      let name = start..<max(start, ranges.name.upperBound)
      let comment = EntrySlot.Meaning.comment(isOwn: isOwnComment, isLine: sigil != .css)
      slots = [
        EntrySlot(range: name, meaning: .identifier(.dashes)), value,
        EntrySlot(range: ranges.comment, meaning: comment),
      ]
    } else {
      prefix = declaration.groups.joined(separator: "/") + "/"
      var key = ranges.name
      let quote = text[key.lowerBound]
      let isQuoted = key.count > 1 && (quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"))
      if isQuoted { key = (key.lowerBound + 1)..<(key.upperBound - 1) }
      // Less has no quotes around keys.
      let bare = sigil == .scss ? Quoting.key(hasDashes: true) : .word
      slots = [
        EntrySlot(range: key, meaning: .key(isQuoted ? .quotes(quote) : bare)), value,
        EntrySlot(range: ranges.comment, meaning: .own),
      ]
    }
    let isMap = !declaration.groups.isEmpty && sigil == .scss
    var place = EntryPlace(
      around: ranges.whole,
      in: text,
      slots,
      separator: .init(range: ranges.separator, byte: UInt8(ascii: isMap ? "," : ";")),
      prefix: prefix
    )
    place.rule = declaration.groups.isEmpty ? declaration.rule : nil
    place.groups = declaration.groupNumbers.map { scanner.groupRanges[$0] }
    return place
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] { text(of: sheet, besides: []) }

  func block(of sheet: PaletteSheet, besides taken: Set<String>) -> [UInt8]? {
    text(of: sheet, besides: taken)
  }

  private func text(of sheet: PaletteSheet, besides taken: Set<String>) -> [UInt8] {
    var names = FileNames(.dashes, besides: taken)
    var text = comment("Palette: \(TextRule.name.cleaned(sheet.name) ?? "Palette")") + "\n"
    if let block { text += "\(block) {\n" }
    for named in sheet.colors {
      let name = TextRule.name.cleaned(named.name) ?? ""
      let identifier = names.identifier(for: name)
      text += block == nil ? "" : "  "
      text += "\(sigil.rawValue)\(prefix)\(identifier): \(named.color.stylesheetText);"
      if !name.isEmpty, name != identifier { text += " " + comment(name) }
      text += "\n"
    }
    if block != nil { text += "}\n" }
    return Array(text.utf8)
  }

  func references(in text: [UInt8], to entries: [FileEntry]) -> [FileReference] {
    StylesheetReferences(in: text, to: entries, sigil, prefix: prefix).found
  }

  private func comment(_ text: String) -> String {
    (sigil == .css ? Quoting.comment : .lineComment("//")).quoted(text)
  }
}

extension Character {
  fileprivate var isVariableName: Bool { isLetter || isNumber || self == "-" || self == "_" }
}

extension String {
  /// The first range of a text in this one.
  fileprivate func range(of part: String) -> Index? { firstRange(of: part)?.lowerBound }
}
