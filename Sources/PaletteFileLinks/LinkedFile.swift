package import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The bytes of a linked file with what they say; made where it may take long.
package struct LinkedFile: Sendable {
  /// The most bytes that a linked file may have.
  package static let byteLimit = 64 << 20

  /// The bytes.
  package let bytes: [UInt8]
  /// What they say, or why they say nothing.
  let contents: Result<FileContents, FormatError>
  /// The color that each entry is, where it was written from a palette.
  private let ids: [RecordID]

  /// Reads the bytes of a file.
  package init(_ bytes: [UInt8], as format: any FileFormat) {
    self.init(bytes, ids: [], as: format)
  }

  private init(_ bytes: [UInt8], ids: [RecordID], as format: any FileFormat) {
    self.bytes = bytes
    self.ids = ids
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
    let file =
      if let old {
        try format.patch(
          old.bytes,
          ids: old.ids,
          following: following,
          title: old.name.map { $0.hasSameBytes(as: palette.name) } ?? true ? nil : palette.name,
          to: sheet
        )
      } else {
        PatchedFile(bytes: try format.write(sheet), ids: palette.colors.map(\.color.id))
      }
    self.init(file.bytes, ids: file.ids, as: format)
    let count = try contents.get().entries.count
    guard count == file.ids.count else {
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
    let colors = written.colors(of: palette)
    return zip(zip(own.entries, other.entries), colors).allSatisfy { entries, listed in
      entries.0.serves(for: entries.1, of: listed?.color)
    }
  }

  /// The color of the palette that each entry is; nil for one that the palette has no more.
  private func colors(of palette: LinkedPalette) -> [ListedColor?] {
    let inOrder = zip(ids, palette.colors).allSatisfy { $0 == $1.color.id }
    guard ids.count != palette.colors.count || !inOrder else { return palette.colors }
    var indexes: [RecordID: Int] = [:]
    for (index, listed) in palette.colors.enumerated() { indexes[listed.color.id] = index }
    return ids.map { id in indexes[id].map { palette.colors[$0] } }
  }

  /// The content of the file as a version whose lines are a palette's colors, in the order of the file.
  ///
  /// An entry that stands for another is as it was before that got another color: the palette has to follow.
  func version(
    of palette: LinkedPalette,
    following: [RecordID: FileEntry] = [:],
    like written: LinkedFile? = nil
  ) -> LinkVersion {
    guard let contents = try? contents.get() else { return LinkVersion() }
    let source = written ?? self
    var version = LinkVersion(title: contents.title, skipped: contents.skipped.count)
    version.digest = palette.digest
    version.name = palette.name
    for ((entry, id), listed) in zip(zip(contents.entries, source.ids), source.colors(of: palette))
    {
      var line = LinkVersion.Line(entry: entry, id: id, seen: listed?.seen)
      if entry.isReference, let before = following[id], entry.color.hex != listed?.color.color.hex {
        line.entry.color = before.color
      }
      version.lines.append(line)
    }
    return version
  }
}

extension FileEntry {
  /// Returns whether an entry need not be written again as another one.
  fileprivate func serves(for written: FileEntry, of color: NamedColor?) -> Bool {
    guard self.color == written.color, written.id == nil || id == written.id else { return false }
    let hasName =
      Self.isSame(name, written.name) || color.map { stands(for: $0.name) } ?? false
      || (name == nil && color.map { (written.name ?? "").hasSameBytes(as: $0.color.hex) } ?? false)
    return hasName && (note ?? "").hasSameBytes(as: written.note ?? "")
  }
}
