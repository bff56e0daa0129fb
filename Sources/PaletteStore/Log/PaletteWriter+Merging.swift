public import PaletteModel

extension PaletteWriter {
  /// Merges the bytes of a change, as the other `merge` does.
  @discardableResult
  public func merge(_ bytes: [UInt8]) throws(StoreError) -> Arrival {
    try merge(ArrivedChange(bytes: bytes, in: id))
  }

  /// Merges a change; nothing is written for one that is refused.
  ///
  /// - Returns: What became of it.
  /// - Throws: `StoreError` when the store failed.
  @discardableResult
  public func merge(_ arrived: ArrivedChange) throws(StoreError) -> Arrival {
    guard let change = arrived.change, change.dot == arrived.dot else {
      return .refused(.malformed(arrived.flaw(in: id)))
    }
    let hash =
      arrived.hash ?? arrived.bytes.withUnsafeBytes { ChangeHash(of: $0, in: row.id) }
    let head = streams[change.dot.node]?.head
    let held = change.dot.sequence <= head?.sequence ?? 0 ? try hashHeld(change.dot) : nil
    do throws(Refusal) {
      guard try change.continues(head, hash: hash, heldHash: held) else { return .held }
    } catch {
      return .refused(error)
    }
    try append(change, bytes: arrived.bytes, hash: hash)
    try store.identity.abandonNodeID(from: change.dot.node)
    return .merged
  }

  /// Appends a change that continues its author's.
  func append(_ change: Change, bytes: ChangeBytes, hash: ChangeHash) throws(StoreError) {
    var isFirst = change.writes.allSatisfy { $0.saw.isEmpty }
    if isFirst { isFirst = try self.isFirst(change.kind, change.record, change.writes) }
    try bytes.withUnsafeBytes { (bytes) throws(StoreError) in
      try hold(change.dot, change.stamp, change.kind, bytes, hash)
    }
    merged?.append(CommittedChanges.Entry(change: change, link: hash.link, bytes: bytes))
    if isFirst {
      add(change.record, change.dot, change.writes, hash)
    } else {
      try apply(change, hash)
    }
  }

  /// Makes the next change of the transaction's author and merges it.
  ///
  /// What saw, covers or hides more than one change can name becomes several: so no amount of values
  /// makes a record that cannot be edited. The last one completes the edit.
  ///
  /// - Returns: The last change.
  /// - Throws: `StoreError` when the store failed, or the values alone are too long.
  @discardableResult
  public func author(_ edit: Edit) throws(StoreError) -> Change {
    if try isFirst(edit.kind, edit.record, edit.writes) {
      let (dot, stamp, previous) = try authorFirst(edit)
      return edit.change(
        dot: dot,
        stamp: stamp,
        previous: previous,
        frontier: [:],
        state: RecordState()
      )
    }
    var rest = edit
    var change = try nextChange(edit)
    while encoder.bytes.count > ChangeLimits.changeBytes, let part = change.part {
      encode(part)
      try appendEncoded(part)
      rest = rest.seeing(alsoOwn: part.dot)
      change = try nextChange(rest, isRest: true)
    }
    try appendEncoded(change)
    return change
  }

  /// Makes the change that carries out an edit, and encodes it.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - isRest: Whether it is to leave out what is covered or hidden already.
  /// - Returns: The change, as the encoder holds it.
  /// - Throws: `StoreError` when the store failed, or this node has no sequence numbers left.
  private func nextChange(_ edit: Edit, isRest: Bool = false) throws(StoreError) -> Change {
    let (dot, stamp, previous) = try nextEnvelope()
    let state = try state(of: edit.record)
    var change = edit.change(
      dot: dot,
      stamp: stamp,
      previous: previous,
      frontier: streams.frontier,
      state: state
    )
    if isRest, !edit.kind.writesRegisters {
      change.covers = state.limited(to: edit.seen).uncoveredDots
      change.frontier.removeAll { $0.sequence <= streams[$0.node]?.dropped ?? 0 }
    }
    encode(change)
    return change
  }

  private func encode(_ change: Change) {
    encoder.removeAll()
    change.encode(into: &encoder)
  }

  /// Merges the own change that was encoded last.
  private func appendEncoded(_ change: Change) throws(StoreError) {
    let hash = try holdEncoded(change.dot, change.stamp, change.kind)
    merged?.append(
      CommittedChanges.Entry(change: change, link: hash.link, bytes: ChangeBytes(encoder.bytes))
    )
    try apply(change, hash)
  }

  /// Adds a record, and gives the dot of the change; it makes less of it than `author` does.
  func authorAdding(_ edit: Edit) throws(StoreError) -> Dot {
    guard try isFirst(edit.kind, edit.record, edit.writes) else { return try author(edit).dot }
    return try authorFirst(edit).dot
  }

  private typealias Envelope = (dot: Dot, stamp: Stamp, previous: UInt64)

  private func nextEnvelope() throws(StoreError) -> Envelope {
    var node = try store.identity.node(of: authorID)
    if try isReferencedAhead(node) {
      try store.identity.adoptNode()
      node = try store.identity.node(of: authorID)
    }
    try introduceAuthor(node)
    let head = streams[node]?.head
    guard head?.sequence ?? 0 < Dot.lastSequence - 1 else {
      throw StoreError(code: .failed, message: "this node has no sequence numbers left here")
    }
    let dot = Dot(node, (head?.sequence ?? 0) + 1)
    return (dot, store.clock.nextStamp(), head?.link ?? 0)
  }

  /// Whether somebody says to have seen, or dropped, more of a node id than is held.
  ///
  /// Either these files are old, or somebody lies. Its next change would be gone at once.
  private func isReferencedAhead(_ node: NodeID) throws(StoreError) -> Bool {
    let stream = streams[node]
    let held = stream?.held ?? 0
    if let stream, stream.dropped > held { return true }
    return try references.namesChange(behind: Dot(node, held), in: row)
  }

  /// Carries out an edit of a record of which nothing is held.
  private func authorFirst(_ edit: Edit) throws(StoreError) -> Envelope {
    let envelope = try nextEnvelope()
    let (dot, stamp, previous) = envelope
    encoder.removeAll()
    edit.encodeFirst(dot, stamp, previous: previous, into: &encoder)
    let hash = try holdEncoded(dot, stamp, edit.kind)
    if merged != nil {
      let change = edit.change(
        dot: dot,
        stamp: stamp,
        previous: previous,
        frontier: [:],
        state: RecordState()
      )
      merged?.append(
        CommittedChanges.Entry(change: change, link: hash.link, bytes: ChangeBytes(encoder.bytes))
      )
    }
    add(edit.record, dot, edit.writes, hash)
    return envelope
  }

  /// Holds the change that was encoded last.
  private func holdEncoded(
    _ dot: Dot,
    _ stamp: Stamp,
    _ kind: ChangeKind
  ) throws(StoreError) -> ChangeHash {
    let bytes = encoder.bytes
    guard bytes.count <= ChangeLimits.changeBytes else {
      throw StoreError(
        code: .failed,
        message: "the edit needs more than \(ChangeLimits.changeBytes) bytes"
      )
    }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(StoreError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      let hash = ChangeHash(of: bytes, in: row.id)
      try hold(dot, stamp, kind, bytes, hash)
      return hash
    }
  }

  /// Writes the row of a change, and moves its author's head to it.
  private func hold(
    _ dot: Dot,
    _ stamp: Stamp,
    _ kind: ChangeKind,
    _ bytes: UnsafeRawBufferPointer,
    _ hash: ChangeHash
  ) throws(StoreError) {
    var stream = try self.stream(of: dot.node)
    try insert(dot, stream, bytes)
    if let old = stream.head { row.digest -= Digest(dot.node, old) }
    stream.held = dot.sequence
    stream.link = hash.link
    stream.append(stamp, at: dot.sequence)
    if kind.writesRegisters { stream.wrote = dot.sequence }
    row.digest += Digest(dot.node, StreamHead(sequence: dot.sequence, link: hash.link))
    streams.update(stream)
  }

  /// Makes a record from the only change about it.
  private func add(
    _ record: RecordID,
    _ dot: Dot,
    _ writes: [Change.Write],
    _ hash: ChangeHash
  ) {
    for index in writes.indices {
      row.digest += Digest(hash, writes[index].register, covered: false)
      if writes[index].register == .place { raiseBound(to: writes[index].value) }
    }
    added.insert(record, dot, writes)
  }

  /// Alters the live values of a change's record.
  private func apply(_ change: Change, _ hash: ChangeHash) throws(StoreError) {
    if change.kind == .drop { try join(drop: change) }
    for write in change.writes where write.register == .place { raiseBound(to: write.value) }
    facts.put(ChangeFacts(stamp: change.stamp, hash: hash), for: change.dot)
    let marks = try references.remove(change.dot, about: change.record, in: row)
    let index = try index(ofRecord: change.record)
    // In place: a copy of its values would be made for every change.
    let effect = try records.values[index].state.merge(
      change,
      hash: hash,
      marks: marks,
      holds: { streams.holds($0) },
      facts: { dot throws(StoreError) in try facts(of: dot) }
    )
    records.values[index].isChanged = true
    row.digest += effect.added
    row.digest -= effect.removed
    for mark in effect.ahead { try insert(mark) }
  }

  /// Whether a change is the first about its record, and nothing but its values is in the rows then.
  private func isFirst(
    _ kind: ChangeKind,
    _ record: RecordID,
    _ writes: [Change.Write]
  ) throws(StoreError) -> Bool {
    guard kind.writesRegisters, !references.hasAny, record != row.id.record else { return false }
    for index in writes.indices where !writes[index].register.isKnown { return false }
    return try !holds(record)
  }

  /// Whether a record is kept here already, or has rows.
  private func holds(_ id: RecordID) throws(StoreError) -> Bool {
    if added.contains(id) { return true }
    if let index = records.index(of: id) {
      return records.values[index].hasRow || records.values[index].isChanged
    }
    if beganEmpty { return false }
    let record = try store.storedRecord(id, in: row, streams)
    if record.hasRow { records.put(record, for: id) }
    return record.hasRow
  }

  private func join(drop: Change) throws(StoreError) {
    for dot in drop.frontier + [drop.dot] {
      var stream = try self.stream(of: dot.node)
      stream.dropped = max(stream.dropped, dot.sequence)
      streams.update(stream)
    }
  }
}
