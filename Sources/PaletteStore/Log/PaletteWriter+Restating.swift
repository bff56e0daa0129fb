internal import PaletteMerge
public import PaletteModel

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

extension PaletteWriter {
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
  func restate(after cuts: [NodeID: UInt32]) throws(StoreError) -> Int {
    func isRestated(_ dot: Dot) -> Bool { cuts[dot.node].map { dot.sequence > $0 } ?? false }
    // Names are said again by whoever speaks next, and actions are told by their own changes alone.
    let names = Set(store.identities.flatMap { [RecordID.author($0), .actions(of: $0)] })
    let wasVisible = streams.isVisible
    var parts: [RecordID: Restatement] = [:]
    try store.forEachChange(of: id) { _, bytes throws(StoreError) in
      let change = try store.decode(bytes, in: id)
      guard isRestated(change.dot), !names.contains(change.record) else { return }
      var part = parts[change.record] ?? Restatement()
      part.author = store.author(of: change.dot.node) ?? .library
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
    try author(.drop(id))
    return count + 1
  }

  private func restate(
    _ part: Restatement,
    of record: RecordID,
    _ isRestated: (Dot) -> Bool
  ) throws(StoreError) -> Int {
    let before = try state(of: record)
    // Each value keeps its time, and so its rank among those beside it.
    var writes: [Stamp: [Change.Write]] = [:]
    for (register, replaced) in part.replaced.sorted(by: { $0.key < $1.key }) {
      var value = before.values(of: register).first { isRestated($0.dot) }
      if value == nil { value = try shown(register, of: record) }
      guard let value else { continue }
      let saw = replaced.sorted { $0.dot < $1.dot }.prefix(Self.dotLimit) + [SeenDot(value.dot)]
      let write = Change.Write(register, saw: Array(saw), value: value.value)
      writes[try facts(of: value.dot).stamp, default: []].append(write)
    }
    var kind = part.kind
    var count = 0
    for (stamp, writes) in writes.sorted(by: { $0.key < $1.key }) {
      var change = try restating(part, of: record, kind, stamp)
      change.writes = writes
      for index in change.writes.indices {
        change.writes[index].saw = try proven(change.writes[index].saw, by: change.dot.node)
      }
      try append(change)
      kind = .set
      count += 1
    }
    // A palette is dropped, not deleted.
    guard record != id.record else { return count }
    let after = try state(of: record)
    var covers =
      before.isVisible
      ? part.covered.intersection(after.values.filter(\.isCovered).map(\.dot)).sorted()[...]
      : after.dots[...]
    while !covers.isEmpty {
      var delete = try restating(part, of: record, .delete, part.stamp)
      delete.covers = try proven(
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
    let node = try store.identity.node(of: part.author)
    let head = streams[node]?.head
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
    try append(change, bytes: ChangeBytes(bytes), hash: ChangeHash(of: bytes, in: id))
  }
}

extension ChangeStore {
  /// Says again, under present ids, what own changes under former ids did that a peer takes from nobody.
  ///
  /// It holds some of them already, and cannot know whose the ids are. What was said again is remembered,
  /// and not said a second time. A member whose present id is meant goes on under another one.
  ///
  /// - Parameter cuts: For each palette and former id, the last number that need not be said again.
  /// - Returns: How many changes that took.
  /// - Throws: `StoreError` when the store failed, and then all is as it was.
  @discardableResult
  public func restate(_ cuts: [PaletteID: [NodeID: UInt32]]) throws(StoreError) -> Int {
    try write { transaction throws(StoreError) in
      var count = 0
      for (palette, cuts) in cuts.sorted(by: { $0.key < $1.key }) {
        guard let writer = try transaction.palette(palette) else { continue }
        var new: [NodeID: UInt32] = [:]
        for (node, sequence) in cuts {
          guard let author = author(of: node), let stream = writer.streams[node],
            try !isRestated(stream, after: sequence)
          else { continue }
          if isPresent(node) {
            // The library's own id is not one under which a peer refuses changes: it refuses the library.
            guard author != .library else { continue }
            try identity.adoptNode(of: author)
          }
          try database.setMeta(
            .restated(stream),
            withUnsafeBytes(of: sequence.bigEndian) { [UInt8]($0) }
          )
          new[node] = sequence
        }
        if !new.isEmpty { count += try writer.restate(after: new) }
      }
      return count
    }
  }

  /// Returns whether nothing is left to be said again of what an own id did after a number.
  public func isRestated(
    _ node: NodeID,
    after sequence: UInt32,
    in id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id),
      let stream = try StreamTable(of: palette, in: self)[node]
    else { return true }
    return try isRestated(stream, after: sequence)
  }

  private func isRestated(
    _ stream: StreamRow,
    after sequence: UInt32
  ) throws(StoreError) -> Bool {
    guard stream.held > sequence else { return true }
    guard let known = try database.meta(.restated(stream)) else { return false }
    return known.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } <= sequence
  }
}

extension MetaKey {
  /// After which number changes of this author, up to its last one, were said again.
  fileprivate static func restated(_ stream: StreamRow) -> MetaKey {
    MetaKey("restated.\(stream.number).\(stream.held)")
  }
}
