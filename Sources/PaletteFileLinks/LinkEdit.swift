internal import PaletteFormats
internal import PaletteMerge
package import PaletteModel

/// What somebody did in a linked file: the file as it is, beside the version that was changed.
///
/// Only what differs between the two is an edit. What a format rounds, spells otherwise or leaves out was
/// so before, and changes nothing in the palette.
package struct LinkEdit: Sendable {
  /// The version that was changed.
  package let old: LinkVersion
  /// What the file holds now; new entries have ids that follow from what they say.
  package private(set) var new: LinkVersion
  /// True if nobody did it: entries have other colors because those for which they stand were edited in the
  /// palette.
  package internal(set) var isConsequence = false
  /// For each line the index of its old one; nil for a new entry.
  private let oldIndexes: [Int?]
  /// The old lines that are gone.
  private let removed: [Int]

  /// Compares what a file holds with a version of it.
  init(from old: LinkVersion, to contents: FileContents, in palette: PaletteID) {
    let entries = contents.entries
    let pairing = LinkPairing(
      of: entries,
      with: old.lines.map(\.entry),
      ids: old.lines.map(\.id),
      reach: .position
    )
    self.init(old, contents, pairing.oldIndexes, palette)
  }

  private init(
    _ old: LinkVersion,
    _ contents: FileContents,
    _ oldIndexes: [Int?],
    _ palette: PaletteID
  ) {
    self.old = old
    self.oldIndexes = oldIndexes
    let kept = Set(oldIndexes.compactMap(\.self))
    removed = old.lines.indices.filter { !kept.contains($0) }
    var ids = Set(old.lines.map(\.id))
    new = LinkVersion(title: contents.title, skipped: contents.skipped.count)
    new.lines.reserveCapacity(oldIndexes.count)
    for (entry, index) in zip(contents.entries, oldIndexes) {
      if let index {
        let line = old.lines[index]
        new.lines.append(LinkVersion.Line(entry: entry, id: line.id, seen: line.seen))
        continue
      }
      let id = Self.id(of: entry, in: palette, except: &ids)
      new.lines.append(LinkVersion.Line(entry: entry, id: id))
    }
  }

  /// The id of a new entry: its own, else one that follows from the palette and from what it says.
  ///
  /// The same entry, found by two machines in copies of one file, is one color.
  private static func id(
    of entry: FileEntry,
    in palette: PaletteID,
    except taken: inout Set<RecordID>
  ) -> RecordID {
    if let id = entry.id, taken.insert(id).inserted { return id }
    var number: UInt64 = 0
    while true {
      var hash = BLAKE2b(resultLength: 16)
      hash.update(Array("hued link".utf8) + palette.record.bytes)
      let color = RegisterValue(color: entry.color).encoded
      for part in [Array((entry.name ?? "").utf8), Array((entry.note ?? "").utf8), color] {
        hash.update(UInt64(part.count))
        hash.update(part)
      }
      hash.update(number)
      let (high, low) = hash.finalizeWords()
      // A UUID of version 8, whose bits are its maker's.
      let id = RecordID(
        high: high & ~0xF000 | 0x8000,
        low: low & ~(3 << 62) | 1 << 63
      )
      if taken.insert(id).inserted { return id }
      number += 1
    }
  }

  /// True if nothing was done.
  package var isEmpty: Bool {
    removed.isEmpty && newTitle == nil && !isReordered
      && zip(new.lines, oldIndexes).allSatisfy { line, index in
        index.map { line.entry.keeps(old.lines[$0].entry) } ?? false
      }
  }

  /// True if only entries that stand for others have other colors.
  var isOfReferences: Bool {
    removed.isEmpty && newTitle == nil && !isReordered
      && zip(new.lines, oldIndexes).allSatisfy { line, index in
        guard let before = index.map({ old.lines[$0].entry }) else { return false }
        return line.entry.keeps(before)
          || (line.entry.isReference && FileEntry.isSame(line.entry.name, before.name)
            && FileEntry.isSame(line.entry.note, before.note))
      }
  }

  private var isReordered: Bool {
    let kept = oldIndexes.compactMap(\.self)
    return zip(kept, kept.dropFirst()).contains { $0 > $1 }
  }

  /// The amount that is not as it was.
  var size: Int {
    removed.count + (isReordered ? 1 : 0) + (newTitle == nil ? 0 : 1)
      + zip(new.lines, oldIndexes).reduce(0) { sum, pair in
        sum + (pair.1.map { pair.0.entry.differences(from: old.lines[$0].entry) } ?? 1)
      }
  }

  /// Returns whether this is what was done, rather than another edit that leads to the same file:
  /// one that left more lines, else has less from the other versions that is not in its own, else
  /// the smaller one, and of two alike the one for which less is new.
  func isLikelier(than other: LinkEdit, among versions: [LinkVersion]) -> Bool {
    func rank(_ edit: LinkEdit) -> (Int, Int, Int, Int) {
      (
        -edit.keptLines, edit.said(by: versions), edit.size,
        edit.oldIndexes.count { $0 == nil }
      )
    }
    return rank(self) < rank(other)
  }

  /// The amount that of what is not as it was, values and the order, is as another version has it.
  private func said(by versions: [LinkVersion]) -> Int {
    let order = isReordered && versions.contains(where: isInOrder) ? 1 : 0
    var changed: [RecordID: (before: FileEntry, now: FileEntry)] = [:]
    for (line, index) in zip(new.lines, oldIndexes) {
      guard let before = index.map({ old.lines[$0].entry }), !line.entry.keeps(before) else {
        continue
      }
      changed[line.id] = (before, line.entry)
    }
    guard !changed.isEmpty else { return order }
    var said: [RecordID: [Bool]] = [:]
    for line in versions.lazy.flatMap(\.lines) {
      guard let (before, now) = changed[line.id] else { continue }
      let found = now.differences(from: before, saidBy: line.entry)
      said[line.id] = said[line.id].map { zip($0, found).map { $0 || $1 } } ?? found
    }
    return order + said.values.reduce(0) { $0 + $1.count { $0 } }
  }

  /// Returns whether the lines that a version has, too, are in its order.
  private func isInOrder(of version: LinkVersion) -> Bool {
    var positions: [RecordID: Int] = [:]
    for (index, line) in version.lines.enumerated() { positions[line.id] = index }
    let found = new.lines.compactMap { positions[$0.id] }
    return zip(found, found.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// The number of lines that have something in common with their old ones.
  var keptLines: Int {
    zip(new.lines, oldIndexes).count { line, index in
      index.map { line.entry.isKin(to: old.lines[$0]) } ?? false
    }
  }

  /// True if the file is its old version without some of the end: perhaps it is still being
  /// written.
  var isTruncation: Bool {
    !removed.isEmpty && new.lines.count < old.lines.count && newTitle == nil
      && zip(0..., oldIndexes).allSatisfy { $0 == $1 }
      // The last one may be cut in the middle.
      && zip(new.lines, old.lines).dropLast().allSatisfy { $0.entry.keeps($1.entry) }
  }

  /// The new title that the file gives the palette; nil where it gives none.
  package var newTitle: String? {
    guard let before = old.title, let title = new.title, !title.hasSameBytes(as: before) else {
      return nil
    }
    return TextRule.name.cleaned(title)
  }
}

extension LinkEdit {
  /// The lines that say something else than before, are new, or are one of these colors.
  func changedLines(and moved: Set<RecordID>) -> [Int] {
    new.lines.indices.filter { position in
      moved.contains(new.lines[position].id)
        || oldIndexes[position].map {
          !new.lines[position].entry.keeps(old.lines[$0].entry)
        } ?? true
    }
  }

  /// Whoever saved a line knows what came of it: its values, beside those that were known before.
  mutating func know(_ values: [Dot], ofLine position: Int) {
    new.lines[position].seen = SeenValues((new.lines[position].seen?.dots ?? []) + values)
  }
}

// MARK: The first time

extension LinkEdit {
  /// What a file says that was never linked, to a palette that exists.
  ///
  /// Entries that are colors of the palette, by id, name or color, say what they say of them; the others
  /// are new. Nothing is removed. `shown` is the palette as the file's format shows it.
  init(linking contents: FileContents, to shown: LinkVersion, in palette: PaletteID) {
    let pairing = LinkPairing(
      of: contents.entries,
      with: shown.lines.map(\.entry),
      ids: shown.lines.map(\.id),
      reach: .part
    )
    let kept = Set(pairing.oldIndexes.compactMap(\.self)).sorted()
    var positions: [Int: Int] = [:]
    for (position, index) in kept.enumerated() { positions[index] = position }
    self.init(
      // A title that only the palette has is not taken from it.
      LinkVersion(title: contents.title, lines: kept.map { shown.lines[$0] }),
      contents,
      pairing.oldIndexes.map { $0.flatMap { positions[$0] } },
      palette
    )
  }

  /// Takes new entries for colors that the palette got meanwhile, where they say exactly the same.
  ///
  /// `shown` is the palette as the file's format shows it.
  mutating func adopt(from shown: LinkVersion) {
    let fresh = oldIndexes.indices.filter { oldIndexes[$0] == nil }
    guard !fresh.isEmpty else { return }
    let known = Set(old.lines.map(\.id)).union(new.lines.map(\.id))
    let others = shown.lines.filter { !known.contains($0.id) }
    let pairing = LinkPairing(
      of: fresh.map { new.lines[$0].entry },
      with: others.map(\.entry),
      ids: others.map(\.id),
      reach: .equal
    )
    for (index, match) in zip(fresh, pairing.oldIndexes) {
      guard let match else { continue }
      new.lines[index] = LinkVersion.Line(entry: new.lines[index].entry, id: others[match].id)
    }
  }

  /// Returns whether there are entries that may be colors which the palette got meanwhile.
  func hasStrangers(in colors: [NamedColor]) -> Bool {
    guard oldIndexes.contains(nil) else { return false }
    let known = Set(old.lines.map(\.id))
    return colors.contains { !known.contains($0.id) }
  }
}

// MARK: Into the palette

extension LinkEdit {
  /// The palette's list after the edit.
  ///
  /// What others did meanwhile stays: colors that the file does not know are where they were, and values
  /// that the file did not change are as they are.
  ///
  /// - Parameter colors: The list as it is.
  /// - Returns: The list, and what the edit does to colors that are not in it.
  /// - Throws: `PaletteDiffError` when the file names a color twice.
  package func applied(
    to colors: [NamedColor]
  ) throws(PaletteDiffError) -> (list: [NamedColor], hidden: [(id: RecordID, line: Int)]) {
    var present: [RecordID: Int] = [:]
    for (index, color) in colors.enumerated() { present[color.id] = index }
    let order = try OrderDiff(from: old.lines.map(\.id), to: new.lines.map(\.id))
    var leaving = Set(removed.map { old.lines[$0].id })
    leaving.subtract(new.lines.map(\.id))
    // What was moved or is new comes to stand behind the line before it, as far as that stays.
    var arriving = Set(order.moves.map { new.lines[$0.to].id })
    arriving.formUnion(order.insertions.map { new.lines[$0].id }.filter { present[$0] == nil })
    var hidden: [(RecordID, Int)] = []
    var runs: [RecordID: [NamedColor]] = [:]
    var first: [NamedColor] = []
    var anchor: RecordID?
    var changed: [RecordID: NamedColor] = [:]
    var firstKept: RecordID?
    for (position, line) in new.lines.enumerated() {
      let before = oldIndexes[position].map { old.lines[$0].entry }
      let color: NamedColor
      if let index = present[line.id] {
        color = before.map { line.changing(colors[index], since: $0) } ?? colors[index]
        if !arriving.contains(line.id) {
          changed[line.id] = color
          anchor = line.id
          if firstKept == nil { firstKept = line.id }
          continue
        }
      } else if let before {
        // Others removed it: where the file changed it, it comes back.
        if !line.entry.keeps(before) { hidden.append((line.id, position)) }
        continue
      } else {
        color = line.newColor
      }
      if let anchor { runs[anchor, default: []].append(color) } else { first.append(color) }
    }
    var list: [NamedColor] = []
    list.reserveCapacity(colors.count + first.count)
    for color in colors where !leaving.contains(color.id) && !arriving.contains(color.id) {
      if color.id == firstKept { list += first }
      list.append(changed[color.id] ?? color)
      if let run = runs[color.id] { list += run }
    }
    if firstKept == nil { list += first }
    return (list, hidden)
  }

  /// What the edit writes of a color that the palette does not list.
  func writes(ofLine position: Int) -> [(register: Register, value: RegisterValue)] {
    guard let index = oldIndexes[position] else { return [] }
    return new.lines[position].entry.writes(since: old.lines[index].entry)
  }

  /// The new entries that are colors of the palette, by their ids, and say something else than that.
  func strangers(among colors: [NamedColor]) -> [EntryOrigin] {
    guard oldIndexes.contains(nil) else { return [] }
    var present: [RecordID: Int] = [:]
    for (index, color) in colors.enumerated() { present[color.id] = index }
    return new.lines.indices.compactMap { position in
      guard oldIndexes[position] == nil, let index = present[new.lines[position].id] else {
        return nil
      }
      return EntryOrigin(of: new.lines[position].entry, at: position, for: colors[index])
    }
  }
}

extension FileEntry {
  /// The name as a palette takes it.
  var acceptedName: String? { name.flatMap(TextRule.name.cleaned) }
  /// The note as a palette takes it; nil where nothing is said of it.
  var acceptedNote: String? { note.map { TextRule.note.cleaned($0) ?? "" } }

  /// What has other values than before.
  func writes(since before: FileEntry) -> [(register: Register, value: RegisterValue)] {
    var writes: [(Register, RegisterValue)] = []
    if !Self.isSame(before.name, name), let name = acceptedName {
      writes.append((.name, RegisterValue(text: name)))
    }
    if !keepsColor(of: before) { writes.append((.color, RegisterValue(color: color))) }
    if !Self.isSame(before.note, note), let note = acceptedNote {
      writes.append((.note, RegisterValue(text: note)))
    }
    return writes
  }
}

extension LinkVersion.Line {
  /// A color as the line has it, as far as the line differs from what it said before.
  fileprivate func changing(_ color: NamedColor, since before: FileEntry) -> NamedColor {
    var changed = color
    if !FileEntry.isSame(entry.name, before.name), let name = entry.acceptedName,
      !entry.stands(for: color.name)
    {
      changed.name = name
    }
    if !entry.keepsColor(of: before) {
      changed.color = entry.color
      if !entry.hasAlpha { changed.color.alpha = color.color.alpha }
    }
    if !FileEntry.isSame(entry.note, before.note), let note = entry.acceptedNote {
      changed.note = note
    }
    return changed
  }

  /// The color of a new entry.
  fileprivate var newColor: NamedColor {
    NamedColor(
      id: id,
      name: entry.acceptedName ?? entry.color.hex,
      color: entry.color,
      note: entry.acceptedNote ?? ""
    )
  }
}
