internal import PaletteModel

/// Adobe Swatch Exchange: blocks of colors with names.
///
/// CMYK is converted naively, since the file says no profile; Lab is relative to D50. A group around all
/// colors names the palette, others stand before the names as `Group/Name`.
struct ASEFormat: FileFormat {
  let name = "ase"
  let title = "Adobe Swatch Exchange"
  let extensions = ["ase"]
  let keeps: KeptContent = [.title, .names]

  private static let magic = Array("ASEF".utf8)
  private static let colorBlock: UInt16 = 1
  private static let groupStart: UInt16 = 0xC001
  private static let groupEnd: UInt16 = 0xC002

  func match(_ file: FileProbe) -> FormatMatch {
    FormatMatch(.certain, if: file.bytes.starts(with: Self.magic))
  }

  /// Reads all blocks, even more than the file says that it has; with fewer, it was cut off.
  ///
  /// A block that ends early is an error, because what follows it cannot be found. Bytes behind the last
  /// block are none of the palette.
  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let bytes = file.bytes
    // An Aseprite sprite shares the ending.
    if bytes.count > 6, bytes[4] == 0xE0, bytes[5] == 0xA5 {
      throw .badFile("this is an Aseprite sprite", hint: "export its palette from Aseprite as .gpl")
    }
    guard match(file) == .certain else {
      throw .badFile("the file does not begin with 'ASEF'")
    }
    var reader = ByteReader(bytes[4...])
    _ = try reader.bytes(4)
    let declared = try reader.big(UInt32.self)
    // A count may lie; where it does not, the file is not read in vain.
    guard declared <= FileLimit.blocks || bytes.count < FileLimit.blocks else {
      throw .tooMany("blocks", FileLimit.blocks)
    }
    var contents = FileContents()
    var group: String?
    var groups: [String?] = []
    var numbers: [Int?] = []
    var ranges: [Range<Int>] = []
    var count: UInt32 = 0
    while reader.count > 0 {
      let (place, start) = (reader.place, reader.index)
      let type: UInt16
      let body: ArraySlice<UInt8>
      do throws(FormatError) {
        type = try reader.big(UInt16.self)
        body = try reader.bytes(Int(try reader.big(UInt32.self)))
      } catch {
        guard count >= declared else { throw error }
        break
      }
      count += 1
      guard count <= FileLimit.blocks else { throw .tooMany("blocks", FileLimit.blocks) }
      if type == Self.groupStart {
        group = Self.groupName(body)
        ranges.append(start..<start)
        contents.title = contents.title ?? group
      }
      if type == Self.groupEnd {
        if group != nil, let last = ranges.popLast() {
          ranges.append(last.lowerBound..<reader.index)
        }
        group = nil
      }
      guard type == Self.colorBlock else { continue }
      do throws(FormatError) {
        var entry = try Self.entry(body)
        entry.place = .unit(start..<reader.index)
        contents.entries.append(entry)
        groups.append(group)
        numbers.append(group == nil ? nil : ranges.count - 1)
      } catch {
        contents.skipped.append(SkippedEntry(at: place, reason: error.message))
      }
    }
    guard count >= declared else {
      throw .badFile("the file is cut off: it has \(count) of \(declared) blocks")
    }
    let names = Set(groups)
    if names.count == 1, let name = names.first {
      contents.title = name
    } else if !names.isEmpty {
      contents.title = nil
      for (index, group) in groups.enumerated() {
        guard let group else { continue }
        let name = contents.entries[index].name ?? contents.entries[index].color.hex
        contents.entries[index].name = TextRule.name.cleaned("\(group)/\(name)")
        contents.entries[index].place?.prefix = group + "/"
        let range = numbers[index].map { ranges[$0] }
        if let range, !range.isEmpty { contents.entries[index].place?.groups = [range] }
      }
    }
    return contents
  }

  /// Some writers leave out the name, its length, or both.
  private static func groupName(_ body: ArraySlice<UInt8>) -> String? {
    var reader = ByteReader(body)
    return (try? text(&reader)).flatMap(TextRule.name.cleaned)
  }

  private static func text(_ reader: inout ByteReader) throws(FormatError) -> String {
    var units: [UInt16] = []
    for _ in 0..<(try reader.big(UInt16.self)) { units.append(try reader.big(UInt16.self)) }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  private static func entry(_ body: ArraySlice<UInt8>) throws(FormatError) -> FileEntry {
    var reader = ByteReader(body)
    let text = try text(&reader)
    let model = String(decoding: try reader.bytes(4), as: UTF8.self).trimmed.uppercased()
    var values: [Double] = []
    let counts = ["RGB": 3, "CMYK": 4, "LAB": 3, "GRAY": 1]
    guard let count = counts[model] else {
      throw .badFile("a color of the unknown model '\(model)'")
    }
    for _ in 0..<count { values.append(try reader.float()) }
    guard values.allSatisfy(\.isFinite) else { throw .badFile("a component is no number") }
    let color =
      switch model {
      case "CMYK": Color(cmyk: values)
      case "LAB": Color(.lab, values[0] * 100, values[1], values[2])
      case "GRAY": Color(.srgb, values[0], values[0], values[0])
      default: Color(.srgb, values[0], values[1], values[2])
      }
    let nearest = color.nearestBytes
    return FileEntry(
      name: TextRule.name.cleaned(text),
      color: nearest,
      isRounded: nearest.bytes8 != nil,
      hasAlpha: false
    )
  }

  /// The file with the number of its blocks.
  func tidied(_ file: [UInt8]) -> [UInt8] {
    var reader = ByteReader(file.dropFirst(12))
    var count: UInt32 = 0
    while (try? reader.big(UInt16.self)) != nil, let size = try? reader.big(UInt32.self),
      (try? reader.bytes(Int(size))) != nil
    { count += 1 }
    var number: [UInt8] = []
    number.append(big: count)
    return file.prefix(8) + number + file.dropFirst(12)
  }

  /// A block with another name or color, which keeps its model and its kind where it was there before.
  func unit(_ wanted: UnitGoal, like old: [UInt8]) -> [UInt8] {
    var reader = ByteReader(old.dropFirst(6))
    guard !wanted.isNew, let length = try? reader.big(UInt16.self),
      let name = try? reader.bytes(Int(length) * 2), let model = try? reader.bytes(4)
    else { return Self.block(wanted.name, wanted.wanted.color, kind: [0, 2]) }
    var body: [UInt8] = []
    if wanted.changesName {
      body += Self.bytes(of: wanted.name)
    } else {
      body.append(big: length)
      body += name
    }
    guard wanted.changesColor else {
      body += old[model.startIndex...]
      return [UInt8](block: Self.colorBlock, body)
    }
    let text = String(decoding: model, as: UTF8.self)
    let values = Self.values(of: wanted.wanted.color, text)
    let counts = ["CMYK": 4, "LAB ": 3, "RGB ": 3]
    let end = model.endIndex + 4 * (counts[text] ?? 1)
    let kind = end <= old.count ? Array(old[end...]) : []
    body += values == nil ? Array("RGB ".utf8) : Array(model)
    for value in values ?? Self.values(of: wanted.wanted.color, "RGB ") ?? [] {
      body.append(big: Float(value).bitPattern)
    }
    return [UInt8](block: Self.colorBlock, body + kind)
  }

  /// The numbers that say a color in a model; nil where they cannot.
  private static func values(of color: Color, _ model: String) -> [Double]? {
    let bytes = color.shownBytes
    switch model {
    case "RGB ": return [bytes.red, bytes.green, bytes.blue].map { Double(Float($0) / 255) }
    case "CMYK": return color.inks
    case "LAB ":
      let parts = color.converted(to: .lab).components.map { $0 ?? 0 }
      return [parts[0] / 100, parts[1], parts[2]]
    default:
      let isGray = bytes.red == bytes.green && bytes.green == bytes.blue
      return isGray ? [Double(Float(bytes.red) / 255)] : nil
    }
  }

  private static func block(_ name: String, _ color: Color, kind: [UInt8]) -> [UInt8] {
    var body = bytes(of: name) + Array("RGB ".utf8)
    for value in values(of: color, "RGB ") ?? [] { body.append(big: Float(value).bitPattern) }
    return [UInt8](block: colorBlock, body + kind)
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let names = sheet.colors.map { TextRule.name.cleaned($0.name) ?? "" }
    let paths = names.map { name -> (group: String?, name: String) in
      let parts = name.split(separator: "/", maxSplits: 1).map { String($0).trimmed }
      let isPath = parts.count == 2 && "\(parts[0])/\(parts[1])" == name
      return isPath ? (parts[0], parts[1]) : (nil, name)
    }
    // A single group would be read as the name of the palette.
    let hasGroups = Set(paths.map(\.group)).count > 1
    var blocks: [UInt8] = []
    var count: UInt32 = 0
    var open: String?
    func begin(_ group: String?) {
      guard group != open else { return }
      if open != nil { blocks.append(block: Self.groupEnd, []) }
      if let group { blocks.append(block: Self.groupStart, Self.bytes(of: group)) }
      count += (open == nil ? 0 : 1) + (group == nil ? 0 : 1)
      open = group
    }
    for (index, named) in sheet.colors.enumerated() {
      begin(hasGroups ? paths[index].group : TextRule.name.cleaned(sheet.name))
      // A normal color, neither global nor spot.
      let name = hasGroups ? paths[index].name : names[index]
      blocks += Self.block(name, named.color, kind: [0, 2])
      count += 1
    }
    if names.isEmpty { begin(TextRule.name.cleaned(sheet.name)) }
    begin(nil)
    var bytes = Self.magic
    bytes.append(big: UInt16(1))
    bytes.append(big: UInt16(0))
    bytes.append(big: count)
    return bytes + blocks
  }

  /// The length and the text in UTF-16, with a zero at its end.
  private static func bytes(of name: String) -> [UInt8] {
    let units = Array(name.utf16) + [0]
    var bytes: [UInt8] = []
    bytes.append(big: UInt16(units.count))
    for unit in units { bytes.append(big: unit) }
    return bytes
  }
}

extension [UInt8] {
  fileprivate init(block type: UInt16, _ body: [UInt8]) {
    self = []
    append(block: type, body)
  }

  fileprivate mutating func append(block type: UInt16, _ body: [UInt8]) {
    append(big: type)
    append(big: UInt32(body.count))
    self += body
  }
}

extension Color {
  /// The naive conversion, for files without a profile.
  init(cmyk values: [Double]) {
    let light = 1 - values[3]
    self.init(
      .srgb,
      (1 - values[0]) * light,
      (1 - values[1]) * light,
      (1 - values[2]) * light
    )
  }

  /// The same color from whole bytes if it differs from that only by the rounding of a float.
  var nearestBytes: Color {
    guard space == .srgb else { return self }
    let bytes = shownBytes
    let exact = Color(red8: bytes.red, green8: bytes.green, blue8: bytes.blue, alpha8: 255)
    let isNear = zip(components, exact.components).allSatisfy {
      abs(($0 ?? 0) - ($1 ?? 0)) < 1e-6
    }
    return isNear ? exact : self
  }
}
