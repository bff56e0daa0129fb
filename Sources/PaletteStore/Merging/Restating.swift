import PaletteMerge
import PaletteModel

/// The sum of what own changes under former ids did to one record.
private struct Restatement {
  /// The authors of the changes.
  var author = AuthorID.library
  /// The newest stamp among them.
  var stamp = Stamp(milliseconds: 0)
  var kind = ChangeKind.set
  /// The values that they replaced, register by register.
  var replaced: [Register: Set<SeenDot>] = [:]
  /// The dots that they covered.
  var covered: Set<Dot> = []
}

/// Restates what own changes under former ids did that a peer takes from nobody.
struct Restating {
  private let palette: PaletteWriter

  init(in palette: PaletteWriter) {
    self.palette = palette
  }

  /// The most values of a register that one change names, so that it fits; further ones stay as siblings.
  private static let dotLimit = 256

  /// Restates, under the present ids of their authors, what own changes under former ids did.
  ///
  /// They stay as they are: others hold them. What a record shows is written again, seeing what they
  /// saw, and what is hidden is hidden again; so nothing comes back that somebody removed, and what
  /// was written beside them stays beside what is written now.
  ///
  /// - Parameter cuts: For each former id, the last number that need not be said again.
  /// - Returns: How many changes that took.
  /// - Throws: `StoreError` when the store failed.
  func carryOut(after cuts: [NodeID: UInt32]) throws(StoreError) -> Int {
    func isRestated(_ dot: Dot) -> Bool { cuts[dot.node].map { dot.sequence > $0 } ?? false }
    // Names are said again by whoever speaks next, and actions are told by their own changes alone.
    let names = Set(
      palette.parts.identity.ids.all.flatMap { [RecordID.author($0), .actions(of: $0)] }
    )
    let wasVisible = palette.streams.isVisible
    var parts: [RecordID: Restatement] = [:]
    try palette.reader.forEachChange(of: palette.id) { _, bytes throws(StoreError) in
      let change = try ChangeRow.decode(bytes, in: palette.id)
      guard isRestated(change.dot), !names.contains(change.record) else { return }
      var part = parts[change.record] ?? Restatement()
      part.author = palette.parts.identity.ids.author(of: change.dot.node) ?? .library
      part.stamp = max(part.stamp, change.stamp)
      if change.kind == .add { part.kind = .add }
      for write in change.writes {
        part.replaced[write.register, default: []].formUnion(
          write.saw.filter { !isRestated($0.dot) }
        )
      }
      part.covered.formUnion(change.covers.dots)
      parts[change.record] = part
    }
    var count = 0
    for (record, part) in parts.sorted(by: { $0.key < $1.key }) {
      count += try restate(part, of: record, isRestated)
    }
    guard count > 0, !wasVisible else { return count }
    try palette.author(.drop(palette.id))
    return count + 1
  }

  private func restate(
    _ part: Restatement,
    of record: RecordID,
    _ isRestated: (Dot) -> Bool
  ) throws(StoreError) -> Int {
    let before = try palette.state(of: record)
    // Each value keeps its time, and so its rank among those beside it.
    var writes: [Stamp: [Change.Write]] = [:]
    for (register, replaced) in part.replaced.sorted(by: { $0.key < $1.key }) {
      var value = before.values(of: register).first { isRestated($0.dot) }
      if value == nil { value = try palette.shown(register, of: record) }
      guard let value else { continue }
      let saw = replaced.sorted { $0.dot < $1.dot }.prefix(Self.dotLimit) + [SeenDot(value.dot)]
      let write = Change.Write(register, saw: Array(saw), value: value.value)
      writes[try palette.facts(of: value.dot).stamp, default: []].append(write)
    }
    var kind = part.kind
    var count = 0
    for (stamp, writes) in writes.sorted(by: { $0.key < $1.key }) {
      var change = try restating(part, of: record, kind, stamp)
      change.writes = writes
      for index in change.writes.indices {
        change.writes[index].saw = try palette.proven(change.writes[index].saw, by: change.dot.node)
      }
      try append(change)
      kind = .set
      count += 1
    }
    // A palette is dropped, not deleted.
    guard record != palette.id.record else { return count }
    let after = try palette.state(of: record)
    var covers =
      before.isVisible
      ? part.covered.intersection(after.values.filter(\.isCovered).map(\.dot)).sorted()[...]
      : after.dots[...]
    while !covers.isEmpty {
      var delete = try restating(part, of: record, .delete, part.stamp)
      delete.covers = try palette.proven(
        covers.prefix(Self.dotLimit).map { SeenDot($0) },
        by: delete.dot.node
      )
      covers = covers.dropFirst(Self.dotLimit)
      try append(delete)
      count += 1
    }
    return count
  }

  /// The next change of an author, still without what it does.
  private func restating(
    _ part: Restatement,
    of record: RecordID,
    _ kind: ChangeKind,
    _ stamp: Stamp
  ) throws(StoreError) -> Change {
    let node = try palette.node(of: part.author)
    let head = palette.streams[node]?.head
    return Change(
      dot: Dot(node, (head?.sequence ?? 0) + 1),
      stamp: stamp,
      previous: head?.link ?? 0,
      record: record,
      kind: kind
    )
  }

  private func append(_ change: Change) throws(StoreError) {
    let bytes = change.encoded
    try palette.append(
      change,
      bytes: ChangeBytes(bytes),
      hash: ChangeHash(of: bytes, in: palette.id)
    )
  }
}
