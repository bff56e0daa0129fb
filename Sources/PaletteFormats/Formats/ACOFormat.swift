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
    // The second list, with names, says the same as the first.
    while reader.count > 0 {
      let place = reader.place
      do throws(FormatError) {
        let version = try reader.big(UInt16.self)
        guard version == 1 || version == 2 else {
          throw .badFile("swatches are of version 1 or 2, not \(version)")
        }
        contents = try list(&reader, hasNames: version == 2)
      } catch {
        // All colors were in the first list.
        guard contents != nil else { throw error }
        let reason = "the list with the names is damaged: \(error.message)"
        contents?.skipped.append(SkippedEntry(at: place, reason: reason))
        break
      }
    }
    guard let contents else { throw .badFile("the file is empty") }
    return contents
  }

  private func list(_ reader: inout ByteReader, hasNames: Bool) throws(FormatError) -> FileContents
  {
    var contents = FileContents()
    for _ in 0..<(try reader.big(UInt16.self)) {
      let place = reader.place
      let space = try reader.big(UInt16.self)
      var words: [UInt16] = []
      for _ in 0..<4 { words.append(try reader.big(UInt16.self)) }
      let name = hasNames ? try self.name(&reader) : nil
      if let color = Self.color(space, words) {
        contents.entries.append(
          FileEntry(name: name, color: color, isRounded: color.bytes8 != nil, hasAlpha: false)
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

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    guard let count = UInt16(exactly: sheet.colors.count) else {
      throw .badFile("a swatch file holds at most 65535 colors")
    }
    var bytes: [UInt8] = []
    for version: UInt16 in 1...2 {
      bytes.append(big: version)
      bytes.append(big: count)
      for named in sheet.colors {
        let rgb = named.color.shownBytes
        bytes.append(big: UInt16(0))
        for byte in [rgb.red, rgb.green, rgb.blue] { bytes.append(big: UInt16(byte) * 257) }
        bytes.append(big: UInt16(0))
        guard version == 2 else { continue }
        let units = Array((TextRule.name.cleaned(named.name) ?? "").utf16) + [0]
        bytes.append(big: UInt32(units.count))
        for unit in units { bytes.append(big: unit) }
      }
    }
    return bytes
  }
}
