internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The part of an import that concerns one palette: the entries of its files become the palette's
/// list.
struct PaletteImport {
  /// The palette; a new one when `name` is not nil.
  let palette: PaletteID
  /// The name of a palette that does not exist yet.
  let name: String?
  /// The indexes of the import's files for this palette.
  var files: [Int] = []
  /// The colors as they are.
  private var list: [ListedColor] = []
  /// What others are told that was imported.
  private var claim: ActionClaim?
  /// The diff that leads to the colors of the files.
  private(set) var diff = PaletteDiff()

  /// Begins an import into a palette.
  init(into palette: PaletteID, creating name: String? = nil) {
    self.palette = palette
    self.name = name
  }

  /// Reads the palette that the files are compared with.
  ///
  /// - Parameters:
  ///   - imported: The files of the import; those of the palette are refused where it could not hold them.
  ///   - store: The library.
  /// - Returns: How many colors there are to compare; nil where the files are refused.
  /// - Throws: Why the palette cannot be read.
  mutating func load(_ imported: inout [ImportFile], from store: ChangeStore) throws -> Int? {
    let count = files.reduce(0) { $0 + imported[$1].contents.entries.count }
    do {
      try Limit.checkColors(count)
    } catch {
      for file in files { imported[file].refuse(error) }
      return nil
    }
    list = name == nil ? try store.colors(of: palette) : []
    claim = .importing(
      files.map { imported[$0].name.split(separator: "/").last.map(String.init) ?? "" }
    )
    return count + list.count
  }

  /// Compares the palette with its files, and tells each file what becomes of it; needs no library.
  mutating func compare(_ imported: inout [ImportFile]) throws {
    var random = BufferedRandom()
    let old = list.map(\.color)
    let formats = Set(files.compactMap { imported[$0].format })
    let format =
      formats.count == 1
      ? formats.first.flatMap { try? FormatRegistry.standard.format(named: $0) } : nil
    let entries = files.flatMap { imported[$0].contents.entries }
    diff = try PaletteDiff(from: old, to: old.importing(entries, from: format, using: &random))
    var start = 0
    for file in files {
      let range = start..<(start + imported[file].contents.entries.count)
      start = range.upperBound
      imported[file].outcome.palette = palette
      imported[file].outcome.inserted = diff.insertions.count { range.contains($0.index) }
      imported[file].outcome.moved = diff.moves.count { range.contains($0.to) }
      imported[file].outcome.updated = diff.updates.count { range.contains($0.index) }
      if file == files.first { imported[file].outcome.deleted = diff.deletions.count }
    }
  }

  /// The number of edits it takes.
  var edits: Int {
    diff.deletions.count + diff.insertions.count + diff.moves.count + diff.updates.count
  }

  /// The plan, as an action that is written in parts.
  var action: LongAction { LongAction(diff, on: list, makesPalette: name != nil, as: claim) }

  /// Writes what was planned, as one action.
  func write(
    in transaction: WriteTransaction,
    report: (Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let writer = try transaction.palette(beginning: palette)
    if let name { try writer.begin(named: name) }
    try writer.act(diff, on: list, as: claim, report: report)
  }
}
