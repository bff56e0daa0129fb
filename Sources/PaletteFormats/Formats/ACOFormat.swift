internal import PaletteModel

/// The swatches of Photoshop: a list without names, then perhaps the same with names.
struct ACOFormat: FileFormat {
  let name = "aco"
  let title = "Adobe Color Swatches"
  let extensions = ["aco"]
  let keeps: KeptContent = [.names]

  func match(_ file: FileProbe) -> FormatMatch {
    let bytes = file.bytes
    guard bytes.count >= 4, bytes[0] == 0, bytes[1] == 1 || bytes[1] == 2 else { return .none }
    let count = Int(bytes[2]) << 8 | Int(bytes[3])
    // Colors without names have one length, those with names at least one.
    if bytes[1] == 2 { return FormatMatch(.likely, if: bytes.count >= 4 + count * 14) }
    let end = 4 + count * 10
    let isWhole = bytes.count == end || (bytes.count > end && bytes[end...].starts(with: [0, 2]))
    return FormatMatch(.certain, if: isWhole && count > 0)
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    var reader = ByteReader(file.bytes[...])
    var contents: FileContents?
    var hasPlaces = false
    // The second list, with names, says the same as the first.
    while reader.count > 0 {
      let place = reader.place
      do throws(FormatError) {
        let version = try reader.big(UInt16.self)
        guard version == 1 || version == 2 else {
          throw .badFile("swatches are of version 1 or 2, not \(version)")
        }
        contents = try list(&reader, hasNames: version == 2)
        hasPlaces = reader.count == 0
      } catch {
        // All colors were in the first list.
        guard contents != nil else { throw error }
        let reason = "the list with the names is damaged: \(error.message)"
        contents?.skipped.append(SkippedEntry(at: place, reason: reason))
        break
      }
    }
    guard var contents else { throw .badFile("the file is empty") }
    // What follows the lists would be lost.
    if !hasPlaces { for index in contents.entries.indices { contents.entries[index].place = nil } }
    return contents
  }

  private func list(_ reader: inout ByteReader, hasNames: Bool) throws(FormatError) -> FileContents
  {
    var contents = FileContents()
    for _ in 0..<(try reader.big(UInt16.self)) {
      let (place, start) = (reader.place, reader.index)
      let space = try reader.big(UInt16.self)
      var words: [UInt16] = []
      for _ in 0..<4 { words.append(try reader.big(UInt16.self)) }
      let name = hasNames ? try self.name(&reader) : nil
      if let color = Self.color(space, words) {
        contents.entries.append(
          FileEntry(
            name: name,
            color: color,
            isRounded: color.bytes8 != nil,
            hasAlpha: false,
            place: .unit(start..<reader.index)
          )
        )
      } else {
        let reason = "a color of a book, which says its number only (color space \(space))"
        contents.skipped.append(SkippedEntry(at: place, reason: reason))
      }
    }
    return contents
  }

  private func name(_ reader: inout ByteReader) throws(FormatError) -> String? {
    let count = Int(try reader.big(UInt32.self))
    var name = ByteReader(try reader.bytes(count * 2))
    var units: [UInt16] = []
    while name.count > 1 { units.append(try name.big(UInt16.self)) }
    return TextRule.name.cleaned(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
  }

  private static func color(_ space: UInt16, _ words: [UInt16]) -> Color? {
    let parts = words.map { Double($0) / 65535 }
    switch space {
    case 0: return Color(.srgb, parts[0], parts[1], parts[2]).nearestBytes
    case 1: return Color(.hsb, parts[0] * 360, parts[1] * 100, parts[2] * 100)
    // Ink counts backwards.
    case 2: return Color(cmyk: parts.map { 1 - $0 }).nearestBytes
    case 7:
      let signed = words.map { Double(Int16(bitPattern: $0)) / 100 }
      return Color(.lab, Double(words[0]) / 100, signed[1], signed[2])
    case 8:
      let light = min(1, Double(words[0]) / 10000)
      return Color(.srgb, light, light, light).nearestBytes
    case 9: return Color(cmyk: words.map { min(1, Double($0) / 10000) }).nearestBytes
    default: return nil
    }
  }

  /// The lists with the number of their colors; the first one says the same as the one with names.
  func tidied(_ file: [UInt8]) -> [UInt8] {
    guard file.count >= 4 else { return file }
    let first = 4 + (Int(file[2]) << 8 | Int(file[3])) * 10
    let hasBoth = file[1] == 1 && first + 4 <= file.count
    let start = hasBoth ? first : 0
    let hasNames = file[start + 1] == 2
    var reader = ByteReader(file[(start + 4)...])
    var heads: [UInt8] = []
    while let head = try? reader.bytes(10) {
      heads += head
      if hasNames, (try? name(&reader)) == nil, reader.count > 0 { return file }
    }
    var count: [UInt8] = []
    count.append(big: UInt16(clamping: heads.count / 10))
    let list = file[start..<(start + 2)] + count + file[(start + 4)...]
    return hasBoth ? file.prefix(2) + count + heads + list : Array(list)
  }

  /// An entry with another name or color, which stays in its color space where that can say it.
  func unit(_ wanted: UnitGoal, like old: [UInt8]) -> [UInt8] {
    var entry = Array(old.prefix(10))
    if wanted.isNew || wanted.changesColor {
      let space = wanted.isNew ? 0 : UInt16(old[0]) << 8 | UInt16(old[1])
      entry = Self.words(of: wanted.wanted.color, space) ?? Self.rgb(wanted.wanted.color)
    }
    guard old.count > 10 else { return entry }
    guard wanted.isNew || wanted.changesName else { return entry + old[10...] }
    return entry + Self.bytes(of: wanted.name)
  }

  private static func bytes(of name: String) -> [UInt8] {
    let units = Array(name.utf16) + [0]
    var bytes: [UInt8] = []
    bytes.append(big: UInt32(units.count))
    for unit in units { bytes.append(big: unit) }
    return bytes
  }

  private static func rgb(_ color: Color) -> [UInt8] {
    let rgb = color.shownBytes
    return entry(0, [rgb.red, rgb.green, rgb.blue].map { UInt16($0) * 257 } + [0])
  }

  private static func entry(_ space: UInt16, _ words: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in [space] + words { bytes.append(big: word) }
    return bytes
  }

  /// The numbers of a color in a space; nil where they do not say it.
  private static func words(of color: Color, _ space: UInt16) -> [UInt8]? {
    func parts(_ space: ColorSpace) -> [Double] {
      color.converted(to: space).components.map { $0 ?? 0 }
    }
    func words(_ values: [Double], by scale: Double) -> [UInt16] {
      values.map { UInt16(clamping: Int(min(65535, max(0, $0 * scale)).rounded())) }
    }
    let found: [UInt16]
    switch space {
    case 1:
      let hsb = parts(.hsb)
      found = words([hsb[0] / 360, hsb[1] / 100, hsb[2] / 100, 0], by: 65535)
    case 2: found = words(color.inks.map { 1 - $0 }, by: 65535)
    case 7:
      let lab = parts(.lab).map { Int16(clamping: Int(($0 * 100).rounded())) }
      found = lab.map { UInt16(bitPattern: $0) } + [0]
    case 8: found = words([parts(.srgb)[0], 0, 0, 0], by: 10000)
    case 9: found = words(color.inks, by: 10000)
    default: return nil
    }
    guard Self.color(space, found)?.hex == color.hex else { return nil }
    return entry(space, found)
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    guard let count = UInt16(exactly: sheet.colors.count) else {
      throw .badFile("a swatch file holds at most 65535 colors")
    }
    var bytes: [UInt8] = []
    for version: UInt16 in 1...2 {
      bytes.append(big: version)
      bytes.append(big: count)
      for named in sheet.colors {
        bytes += Self.rgb(named.color)
        if version == 2 { bytes += Self.bytes(of: TextRule.name.cleaned(named.name) ?? "") }
      }
    }
    return bytes
  }
}
