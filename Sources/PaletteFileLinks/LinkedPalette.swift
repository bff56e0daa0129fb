internal import PaletteFormats
package import PaletteMerge
package import PaletteModel
package import PaletteStore

/// A palette as its linked files are to show it.
package struct LinkedPalette: Sendable {
  /// The palette.
  package let id: PaletteID
  /// Its name.
  package let name: String
  /// Its digest when it was read.
  package let digest: Digest
  /// Its colors in order, with their live values.
  package let colors: [ListedColor]
  /// False where this library may not edit the palette, so that it follows no file.
  package var acceptsEdits = true
}

extension ChangeStore {
  /// The most colors that a linked palette has.
  static let linkedColorLimit = 250_000

  /// A palette for its linked files; nil while it is not there or dropped.
  package func linkedPalette(_ id: PaletteID) throws(StoreError) -> LinkedPalette? {
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
  ///   - link: Makes of the edit, as it was carried out, the link that is saved with it.
  /// - Returns: The edit as it was carried out.
  /// - Throws: `StoreError` when the store failed, `PaletteDiffError` when the file names a color twice.
  @discardableResult
  package func carryOut(
    _ edit: LinkEdit,
    in palette: LinkedPalette,
    takesTitle: Bool,
    saving link: ((LinkEdit) -> StoredLink)?
  ) throws -> LinkEdit {
    if edit.isConsequence { return try follow(edit, in: palette, saving: link) }
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
    var done = edit
    try write { transaction throws(StoreError) in
      done = edit
      guard let writer = try transaction.palette(palette.id) else { return }
      let origins = try origins(of: edit.strangers(among: old), in: writer)
      for origin in origins { done.know(origin.seen?.dots ?? [], ofLine: origin.line) }
      let others = others + origins.flatMap(\.edits)
      let moved = Set(diff.moves.map { old[$0.from].id })
      let lines = edit.changedLines(and: moved)
      var before: [Set<Dot>] = []
      for line in lines { before.append(try writer.dots(of: edit.new.lines[line].id)) }
      try writer.act(diff, on: palette.colors, with: others, seeing: { seen[$0] })
      for (line, known) in zip(lines, before) {
        let now = try writer.dots(of: edit.new.lines[line].id)
        let isAllSeen = done.new.lines[line].seen == nil
        done.know(Array(isAllSeen ? now : now.subtracting(known)), ofLine: line)
      }
      if let link { try transaction.save(link(done)) }
    }
    return done
  }

  /// Gives colors of the palette what they have in a file because others were edited in the palette.
  ///
  /// That is no action of its own: when what they follow is undone, they follow again.
  private func follow(
    _ edit: LinkEdit,
    in palette: LinkedPalette,
    saving link: ((LinkEdit) -> StoredLink)?
  ) throws(StoreError) -> LinkEdit {
    var done = edit
    try write { transaction throws(StoreError) in
      done = edit
      guard let writer = try transaction.palette(palette.id) else { return }
      let present = Set(palette.colors.map(\.color.id))
      for line in edit.changedLines(and: []) where present.contains(edit.new.lines[line].id) {
        let (id, known) = (edit.new.lines[line].id, edit.new.lines[line].seen)
        let before = try writer.dots(of: id)
        for write in edit.writes(ofLine: line) {
          _ = try writer.author(.set(id, [write.register: write.value]).seeing(known))
        }
        done.know(Array(try writer.dots(of: id).subtracting(before)), ofLine: line)
      }
      guard let link else { return }
      try transaction.save(link(done))
    }
    return done
  }

  /// What was said until now of colors of which a file says something else.
  private func origins(
    of strangers: [EntryOrigin],
    in writer: PaletteWriter
  ) throws(StoreError) -> [EntryOrigin] {
    guard !strangers.isEmpty else { return [] }
    let past = try changes(of: Set(strangers.map(\.record)), in: writer.id)
    var origins = strangers
    for index in origins.indices {
      let live = try writer.dots(of: origins[index].record)
      for change in past[origins[index].record] ?? [] {
        origins[index].read(change, isLive: live.contains(change.dot))
      }
    }
    return origins
  }
}

extension PaletteWriter {
  /// The changes whose values a record has now.
  fileprivate func dots(of record: RecordID) throws(StoreError) -> Set<Dot> {
    Set(try state(of: record).values.map(\.dot))
  }
}
