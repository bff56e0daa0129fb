internal import PaletteModel

/// The color tables of LibreOffice and OpenOffice.
struct OfficeFormat: FileFormat {
  let name = "soc"
  let title = "LibreOffice color table"
  let extensions = ["soc"]
  let contentType = "application/xml"
  let keeps: KeptContent = [.names]

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.xml?.name == "color-table")
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let root = try file.parsedXML.get()
    guard root.name == "color-table" else { throw .badFile("the XML document is no color table") }
    var contents = FileContents()
    for element in root.descendants("color") {
      contents.append(
        element,
        name: element["name"],
        color: Color(hexText: element["color"]),
        place: file.place(of: element, [("name", .name(.xml)), ("color", .color(.xml))])
      )
    }
    return contents
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ooo:color-table xmlns:draw="http://openoffice.org/2000/drawing" \
      xmlns:ooo="http://openoffice.org/2004/office">

      """
    for named in sheet.colors {
      let name = (TextRule.name.cleaned(named.name) ?? "").escapedForXML
      text += " <draw:color draw:name=\"\(name)\" draw:color=\"\(named.color.opaque.hex)\"/>\n"
    }
    return Array((text + "</ooo:color-table>\n").utf8)
  }
}

/// The palettes of Scribus.
struct ScribusFormat: FileFormat {
  let name = "scribus"
  let title = "Scribus palette"
  let extensions = ["xml"]
  let contentType = "application/xml"
  let keeps: KeptContent = [.title, .names]

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.xml?.name.uppercased() == "SCRIBUSCOLORS")
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let root = try file.parsedXML.get()
    guard match(file) == .certain else { throw .badFile("the XML document is no Scribus palette") }
    var contents = FileContents(title: root["name"].flatMap(TextRule.name.cleaned))
    contents.titlePlace = file.place(of: root, [("Name", .name(.xml))])?.slots.first.map {
      TitlePlace(range: $0.range, quoting: .xml)
    }
    for element in root.descendants("COLOR") {
      let channels: [(String, EntrySlot.Meaning)] =
        switch element["SPACE"]?.uppercased() {
        case "RGB": [("R", .channel(0)), ("G", .channel(1)), ("B", .channel(2))]
        case "CMYK": [("C", .ink(0)), ("M", .ink(1)), ("Y", .ink(2)), ("K", .ink(3))]
        case "LAB": [("L", .labPart(0)), ("A", .labPart(1)), ("B", .labPart(2))]
        default: [("CMYK", .inks)]
        }
      contents.append(
        element,
        name: element["name"],
        color: Self.color(element),
        place: file.place(of: element, [("NAME", .name(.xml)), ("RGB", .color(.xml))] + channels)
      )
    }
    return contents
  }

  private static func color(_ element: XMLElement) -> Color? {
    if let text = element["RGB"] { return Color(hexText: text) }
    if let text = element["CMYK"] {
      guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 9,
        let number = UInt32(text.dropFirst(), radix: 16)
      else { return nil }
      let inks = [24, 16, 8, 0].map { Double(UInt8(truncatingIfNeeded: number >> $0)) / 255 }
      return Color(cmyk: inks).nearestBytes
    }
    func values(_ names: String...) -> [Double]? {
      let values = names.compactMap { element[$0].flatMap { Double($0) } }
      return values.count == names.count && values.allSatisfy(\.isFinite) ? values : nil
    }
    switch element["SPACE"]?.uppercased() {
    case "RGB":
      return values("R", "G", "B").flatMap {
        Color(loose: $0.map(\.asByteText).joined(separator: " "))
      }
    case "CMYK":
      return values("C", "M", "Y", "K").map { Color(cmyk: $0.map { $0 / 100 }).nearestBytes }
    case "LAB": return values("L", "A", "B").map { Color(.lab, $0[0], $0[1], $0[2]) }
    default: return nil
    }
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let title = (TextRule.name.cleaned(sheet.name) ?? "Palette").escapedForXML
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<SCRIBUSCOLORS Name=\"\(title)\">\n"
    for named in sheet.colors {
      let name = (TextRule.name.cleaned(named.name) ?? "").escapedForXML
      text += "  <COLOR NAME=\"\(name)\" RGB=\"\(named.color.opaque.hex)\"/>\n"
    }
    return Array((text + "</SCRIBUSCOLORS>\n").utf8)
  }
}

/// The color resources of Android.
struct AndroidFormat: FileFormat {
  let name = "android"
  let title = "Android color resources"
  let extensions = ["xml"]
  let contentType = "application/xml"
  let keeps: KeptContent = [.identifiers, .alpha]

  func match(_ file: FileProbe) -> FormatMatch {
    guard let root = file.xml, root.name == "resources" else { return .none }
    return FormatMatch(.certain, if: root.children.isEmpty || !Self.elements(root).isEmpty)
  }

  /// The places that name a resource, also in styles and drawables.
  func references(in text: [UInt8], to entries: [FileEntry]) -> [FileReference] {
    var targets: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      for slot in entry.place?.slots ?? [] {
        guard case .identifier = slot.meaning else { continue }
        targets[String(decoding: text[slot.range], as: UTF8.self)] = index
      }
    }
    let mark = Array("@color/".utf8)
    var found: [FileReference] = []
    var place = 0
    while let start = text[place...].firstIndex(of: mark[0]) {
      place = start + 1
      guard text[start...].starts(with: mark) else { continue }
      let name = start + mark.count
      let end = text[name...].firstIndex { !Self.isName($0) } ?? text.count
      guard let target = targets[String(decoding: text[name..<end], as: UTF8.self)] else {
        continue
      }
      found.append(
        FileReference(targets: [target], name: name..<end, whole: start..<end, form: .alphaFirst)
      )
    }
    return found
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func elements(_ root: XMLElement) -> [XMLElement] {
    root.children.filter { $0.name == "color" || ($0.name == "item" && $0["type"] == "color") }
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let root = try file.parsedXML.get()
    guard root.name == "resources" else { throw .badFile("the XML document has no resources") }
    let elements = Self.elements(root)
    var texts: [String: String] = [:]
    for element in elements {
      if let name = element["name"] { texts[name] = element.text.trimmed }
    }
    var contents = FileContents()
    // Most files of resources have texts and sizes.
    contents.isPalette = root.children.isEmpty
    for element in elements {
      var text = element.text.trimmed
      let isReference = text.hasPrefix("@")
      // A color may stand for another; a ring of them ends somewhere.
      var steps = 0
      while let reference = text.value(after: "@color/"), let next = texts[reference], steps < 32 {
        text = next
        steps += 1
      }
      contents.append(
        element,
        name: element["name"],
        color: Self.color(text),
        hasAlpha: true,
        place: file.place(
          of: element,
          [("name", .identifier(.underscores, .xml))],
          text: isReference ? .reference(.xml, isAlphaFirst: true) : .alphaFirstDigits
        )
      )
    }
    return contents
  }

  /// Alpha comes first: `#ARGB` and `#AARRGGBB`.
  private static func color(_ text: String) -> Color? {
    guard text.hasPrefix("#") else { return nil }
    let digits = text.dropFirst()
    let alphaCount = [4: 1, 8: 2][digits.utf8.count] ?? 0
    return Color(hex: String(digits.dropFirst(alphaCount)) + digits.prefix(alphaCount))
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var names = FileNames(.underscores)
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n"
    for named in sheet.colors {
      let digits = named.color.hex.dropFirst().uppercased()
      let value = digits.count == 8 ? String(digits.suffix(2)) + digits.prefix(6) : String(digits)
      let name = names.identifier(for: TextRule.name.cleaned(named.name) ?? "")
      text += "  <color name=\"\(name)\">#\(value)</color>\n"
    }
    return Array((text + "</resources>\n").utf8)
  }
}

extension FileContents {
  /// Adds the color of an element, or that the element has none.
  fileprivate mutating func append(
    _ element: XMLElement,
    name: String?,
    color: Color?,
    hasAlpha: Bool = false,
    place: EntryPlace?
  ) {
    guard let color else {
      skipped.append(SkippedEntry(at: element.place, reason: "no color that can be read here"))
      return
    }
    entries.append(
      FileEntry(
        name: name.flatMap(TextRule.name.cleaned),
        color: color,
        isRounded: color.bytes8 != nil,
        hasAlpha: hasAlpha,
        isIdentifier: hasAlpha,
        place: place
      )
    )
  }
}

extension Color {
  /// The color of a text like `#rrggbb`.
  fileprivate init?(hexText text: String?) {
    guard let text = text?.trimmed, text.hasPrefix("#") else { return nil }
    self.init(hex: text.dropFirst())
  }
}

extension Double {
  fileprivate var asByteText: String { (0...255) ~= self ? "\(UInt8(rounded()))" : "-" }
}
