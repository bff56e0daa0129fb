public import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The bytes of a linked file with what they say; made where it may take long.
public struct LinkedFile: Sendable {
  /// The most bytes that a linked file may have.
  public static let byteLimit = 64 << 20

  /// The bytes.
  public let bytes: [UInt8]
  /// What they say, or why they say nothing.
  let contents: Result<FileContents, FormatError>

  /// Reads the bytes of a file.
  public init(_ bytes: [UInt8], as format: any FileFormat) {
    self.bytes = bytes
    contents = Result { () throws(FormatError) in
      guard !Self.hasConflictMarkers(bytes) else {
        throw FormatError(
          code: "bad-file",
          message: "the file has conflict markers of a version control system"
        )
      }
      return try format.read(bytes)
    }
  }

  /// Writes a palette in place of a file, in that file's own clothes as far as its format can.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - format: The format.
  ///   - old: The text that is changed; nil to write as if there were none.
  ///   - following: What the entries say now that stand for others.
  /// - Throws: Why the format cannot hold the palette.
  init(
    writing palette: LinkedPalette,
    as format: any FileFormat,
    over old: LinkOrigin? = nil,
    following: [RecordID: FileEntry] = [:]
  ) throws(FormatError) {
    let sheet = PaletteSheet(
      id: palette.id,
      name: palette.name,
      digest: palette.digest.description,
      colors: palette.colors.map(\.color)
    )
    let bytes =
      if let old {
        try format.patched(
          old.bytes,
          ids: old.ids,
          following: following,
          title: old.name.map { $0.hasSameBytes(as: palette.name) } ?? true ? nil : palette.name,
          to: sheet
        )
      } else {
        try format.write(sheet)
      }
    self.init(bytes, as: format)
    let count = try contents.get().entries.count
    guard count == palette.colors.count else {
      throw FormatError(
        code: "bad-format",
        message: "the format \(format.name) does not keep each color of this palette"
      )
    }
  }

  /// True if nothing but white space is in the file.
  var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  /// Returns whether a merge was left half done in a text.
  private static func hasConflictMarkers(_ bytes: [UInt8]) -> Bool {
    let marks = ["<<<<<<< ", ">>>>>>> "].map { Array($0.utf8) }
    var found: Set<Int> = []
    for (index, mark) in marks.enumerated() {
      if bytes.starts(with: mark) { found.insert(index) }
    }
    var start = bytes.firstIndex(of: 0x0A)
    while let end = start {
      let line = bytes[(end + 1)...]
      for (index, mark) in marks.enumerated() where line.first == mark[0] && line.starts(with: mark)
      {
        found.insert(index)
      }
      start = line.firstIndex(of: 0x0A)
    }
    return found.count == marks.count
  }

  /// Returns whether this file says what one that was just written from the palette says.
  func saysTheSame(as written: LinkedFile, of palette: LinkedPalette) -> Bool {
    guard let own = try? contents.get(), let other = try? written.contents.get(),
      own.entries.count == other.entries.count,
      own.title == nil || (own.title ?? "").hasSameBytes(as: other.title ?? "")
    else { return false }
    return zip(zip(own.entries, other.entries), palette.colors).allSatisfy { entries, listed in
      entries.0.serves(for: entries.1, of: listed.color)
    }
  }

  /// What the file holds as a version whose lines are a palette's colors, in order.
  func version(of palette: LinkedPalette) -> LinkVersion {
    guard let contents = try? contents.get() else { return LinkVersion() }
    var version = palette.shown(as: contents.entries)
    version.title = contents.title
    version.skipped = contents.skipped.count
    version.name = palette.name
    return version
  }

  /// The same, where what stands for others is as it was before those got other colors: the palette has to
  /// follow.
  func version(of palette: LinkedPalette, following: [RecordID: FileEntry]) -> LinkVersion {
    var version = version(of: palette)
    guard !following.isEmpty, let contents = try? contents.get() else { return version }
    for (index, entry) in contents.entries.enumerated()
    where entry.isReference && entry.color.hex != palette.colors[index].color.color.hex {
      guard let before = following[version.lines[index].id] else { continue }
      version.lines[index].entry.color = before.color
    }
    return version
  }
}

extension FileEntry {
  /// Returns whether an entry need not be written anew as another one.
  fileprivate func serves(for written: FileEntry, of color: NamedColor) -> Bool {
    guard self.color == written.color, written.id == nil || id == written.id else { return false }
    let hasName =
      Self.isSame(name, written.name) || stands(for: color.name)
      || (name == nil && (written.name ?? "").hasSameBytes(as: color.color.hex))
    return hasName && (note ?? "").hasSameBytes(as: written.note ?? "")
  }
}
