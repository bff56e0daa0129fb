internal import PaletteModel

/// The palettes of Microsoft: a RIFF file with a chunk of red, green, blue and flags.
struct RIFFFormat: FileFormat {
  let name = "riff"
  let title = "Microsoft RIFF palette"
  let extensions = ["pal"]
  let keeps: KeptContent = []

  func match(_ file: FileProbe) -> FormatMatch {
    let bytes = file.bytes
    guard bytes.count >= 12, bytes.starts(with: "RIFF".utf8) else { return .none }
    return FormatMatch(.certain, if: bytes[8...].starts(with: "PAL ".utf8))
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard match(file) == .certain else {
      throw .badFile("the file does not begin as a RIFF palette")
    }
    var reader = ByteReader(file.bytes[12...])
    while reader.count > 0 {
      let kind = try reader.bytes(4)
      let length = Int(try reader.little(UInt32.self))
      guard kind.elementsEqual("data".utf8) else {
        // Chunks begin at even places.
        _ = try reader.bytes(length + length % 2)
        continue
      }
      // Some writers count the header of the file in; the colors are counted on their own.
      guard try reader.little(UInt16.self) == 0x0300 else {
        throw .badFile("the palette is not of version 3.0")
      }
      var contents = FileContents()
      for _ in 0..<(try reader.little(UInt16.self)) {
        let start = reader.index
        var entry = FileEntry(bytes: Array(try reader.bytes(4)))
        entry.place = .unit(start..<(start + 4))
        contents.entries.append(entry)
      }
      return contents
    }
    throw .badFile("the file has no chunk with colors")
  }

  /// Colors that stay keep their flags, and other chunks stay as they are.
  func arranged(_ file: [UInt8], as arrangement: ColorArrangement) -> [UInt8]? {
    guard let old = try? read(FileProbe(file)).entries,
      let count = UInt16(exactly: arrangement.goals.count),
      let first = old.first?.place?.range.lowerBound ?? Self.beginning(of: file)
    else { return nil }
    var colors: [UInt8] = []
    for (goal, entry) in zip(arrangement.goals, arrangement.entries) {
      let rgb = goal.wanted.color.shownBytes
      let kept = entry.map { Array(file[(first + $0 * 4)..<(first + $0 * 4 + 4)]) }
      if let kept, !goal.changesColor {
        colors += kept
      } else {
        colors += [rgb.red, rgb.green, rgb.blue, kept?[3] ?? 0]
      }
    }
    let end = first + old.count * 4
    var bytes = Array(file[..<first] + colors + file[end...])
    let difference = colors.count - old.count * 4
    // The size of the file, that of the chunk, and the number of the colors.
    for place in [4, first - 8] {
      let size = file[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
      var new: [UInt8] = []
      new.append(little: UInt32(clamping: size + difference))
      bytes.replaceSubrange(place..<(place + 4), with: new)
    }
    bytes[first - 2] = UInt8(truncatingIfNeeded: count)
    bytes[first - 1] = UInt8(truncatingIfNeeded: count >> 8)
    return bytes
  }

  /// The place of the first color of a file that has none.
  private static func beginning(of file: [UInt8]) -> Int? {
    let mark = Array("data".utf8)
    return file.indices.first { file[$0...].starts(with: mark) && $0 + 12 <= file.count }
      .map { $0 + 12 }
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    guard let count = UInt16(exactly: sheet.colors.count) else {
      throw .badFile("a RIFF palette holds at most 65535 colors")
    }
    let length = UInt32(count) * 4 + 4
    var bytes = Array("RIFF".utf8)
    bytes.append(little: length + 12)
    bytes += Array("PAL data".utf8)
    bytes.append(little: length)
    bytes.append(little: UInt16(0x0300))
    bytes.append(little: count)
    for named in sheet.colors {
      let rgb = named.color.shownBytes
      bytes += [rgb.red, rgb.green, rgb.blue, 0]
    }
    return bytes
  }
}

extension FileEntry {
  /// A color without a name from its red, green and blue bytes.
  init(bytes: [UInt8]) {
    let color = Color(red8: bytes[0], green8: bytes[1], blue8: bytes[2], alpha8: 255)
    self.init(color: color, isRounded: true, hasAlpha: false)
  }
}
