internal import PaletteModel

/// The color tables of Photoshop: 256 slots of red, green and blue, then perhaps how many count.
struct ACTFormat: FileFormat {
  let name = "act"
  let title = "Adobe Color Table"
  let extensions = ["act"]
  let keeps: KeptContent = []

  private static let slots = 256

  /// Without the count the same bytes may be a palette of six-bit numbers.
  func match(_ file: FileProbe) -> FormatMatch {
    let bytes = file.bytes
    return switch bytes.count {
    case 768 where file.isPlainText: .none
    case 768: bytes.contains { $0 > 63 } ? .likely : .possible
    case 772: FormatMatch(.likely, if: bytes[768] < 2)
    default: .none
    }
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let bytes = file.bytes
    guard bytes.count == 768 || bytes.count == 772 else {
      throw .badFile("a color table has 768 or 772 bytes, this file has \(bytes.count)")
    }
    var count = Self.slots
    if bytes.count == 772 {
      count = Int(bytes[768]) << 8 | Int(bytes[769])
      guard count <= Self.slots else {
        throw .badFile("the file says that it has \(count) colors, it has room for 256")
      }
      // Some writers leave the count out, but not the colors.
      if count == 0, bytes[..<768].contains(where: { $0 != 0 }) { count = Self.slots }
    }
    return FileContents(
      entries: (0..<count).map { index in
        var entry = FileEntry(bytes: Array(bytes[(index * 3)..<(index * 3 + 3)]))
        entry.place = .unit((index * 3)..<(index * 3 + 3))
        return entry
      }
    )
  }

  /// The slots behind the last color stay, and the transparent color stays transparent.
  func arranged(_ file: [UInt8], as arrangement: ColorArrangement) -> [UInt8]? {
    let count = arrangement.goals.count
    guard count <= Self.slots, file.count >= 768 else { return nil }
    var bytes: [UInt8] = []
    for (goal, entry) in zip(arrangement.goals, arrangement.entries) {
      if let entry, !goal.changesColor {
        bytes += file[(entry * 3)..<(entry * 3 + 3)]
      } else {
        let rgb = goal.wanted.color.shownBytes
        bytes += [rgb.red, rgb.green, rgb.blue]
      }
    }
    let old = (try? read(FileProbe(file)))?.entries.count ?? Self.slots
    let isShorter = count < old
    bytes += isShorter ? Array(repeating: 0, count: (old - count) * 3) : []
    bytes += file[bytes.count..<768]
    guard file.count == 772 || count < Self.slots else { return bytes }
    bytes.append(big: UInt16(count))
    var transparent = UInt16.max
    if file.count == 772 {
      let index = Int(file[770]) << 8 | Int(file[771])
      if index >= old {
        transparent = UInt16(index)
      } else if let place = arrangement.entries.firstIndex(of: index) {
        transparent = UInt16(place)
      }
    }
    bytes.append(big: transparent)
    return bytes
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    guard sheet.colors.count <= Self.slots else {
      throw .badFile("a color table holds at most 256 colors, not \(sheet.colors.count)")
    }
    var bytes: [UInt8] = []
    for named in sheet.colors {
      let rgb = named.color.shownBytes
      bytes += [rgb.red, rgb.green, rgb.blue]
    }
    bytes += Array(repeating: 0, count: Self.slots * 3 - bytes.count)
    bytes.append(big: UInt16(sheet.colors.count))
    // No transparent color.
    bytes.append(big: UInt16.max)
    return bytes
  }
}
