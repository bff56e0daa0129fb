internal import PaletteFormats
public import PaletteModel
public import PaletteStore

/// A palette as its linked files are to show it.
public struct LinkedPalette: Sendable {
  /// The palette.
  public let id: PaletteID
  /// Its name.
  public let name: String
  /// Its digest when it was read.
  public let digest: Digest
  /// Its colors in order, with their live values.
  public let colors: [ListedColor]

  /// The palette as a file that was just written says it, for an edit to be compared with.
  func shown(as entries: [FileEntry]) -> LinkVersion {
    LinkVersion(
      lines: zip(entries, colors).map {
        LinkVersion.Line(entry: $0, id: $1.color.id, seen: $1.seen)
      },
      digest: digest
    )
  }
}

extension ChangeStore {
  /// The most colors that a linked palette has.
  static let linkedColorLimit = 250_000

  /// A palette for its linked files; nil while it is not there or dropped.
  public func linkedPalette(_ id: PaletteID) throws(StoreError) -> LinkedPalette? {
    guard let summary = try summary(of: id), !summary.isDropped else { return nil }
    return LinkedPalette(
      id: id,
      name: summary.name,
      digest: summary.digest,
      colors: try colors(of: id, withSeen: true)
    )
  }

  /// Makes an edit of a linked file a part of the palette: one action that can be undone, committed together
  /// with what the file holds now.
  ///
  /// - Parameters:
  ///   - edit: What was done in the file.
  ///   - palette: The palette as it is.
  ///   - takesTitle: Whether a new title in the file may rename the palette.
  ///   - link: The link, which is saved with what the file holds.
  /// - Throws: `StoreError` when the store failed, `PaletteDiffError` when the file names a color twice.
  public func carryOut(
    _ edit: LinkEdit,
    in palette: LinkedPalette,
    takesTitle: Bool,
    saving link: StoredLink?
  ) throws {
    let old = palette.colors.map(\.color)
    let (list, hidden) = try edit.applied(to: old)
    guard list.count <= Self.linkedColorLimit else {
      throw StoreError(
        code: .failed,
        message: "a palette holds at most \(Self.linkedColorLimit) colors"
      )
    }
    let diff = try PaletteDiff(from: old, to: list)
    var seen: [RecordID: SeenValues] = [:]
    for line in edit.old.lines { seen[line.id] = line.seen }
    var others: [Edit] = []
    for (id, position) in hidden {
      for (register, value) in edit.writes(ofLine: position) {
        others.append(.set(id, [register: value]).seeing(seen[id]))
      }
    }
    if takesTitle, let title = edit.newTitle {
      others.append(.set(palette.id.record, [.name: RegisterValue(text: title)]))
    }
    try write { transaction throws(StoreError) in
      _ = try transaction.palette(palette.id)?.act(
        diff,
        on: palette.colors,
        with: others,
        seeing: { seen[$0] }
      )
      if let link { try transaction.save(link) }
    }
  }
}
