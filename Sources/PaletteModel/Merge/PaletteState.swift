/// What one palette's changes amount to: the merge rules as a value, without a store.
///
/// Merging is commutative, associative and idempotent: the same changes give the same state in
/// whatever order they come, as long as each author's come in sequence.
public struct PaletteState: Sendable {
  /// The palette.
  public let palette: PaletteID
  /// How far each author's changes are held.
  public internal(set) var frontier: Frontier = [:]
  /// The live values of every record that has one.
  public internal(set) var records: [RecordID: RecordState] = [:]
  /// The digest.
  public internal(set) var digest = Digest.zero
  /// The joined frontiers of all drops.
  public internal(set) var dropped: [NodeID: UInt32] = [:]
  /// For each author, the highest sequence of a change that wrote registers.
  public internal(set) var highestWrite: [NodeID: UInt32] = [:]
  /// The bytes of the changes held; after a snapshot some may be missing, but none with a live value.
  public internal(set) var log: [Dot: [UInt8]] = [:]
  /// What held changes said of dots that are not held.
  package internal(set) var ahead: [Dot: Set<PendingReference>] = [:]
  /// Stamp and hash of every change in the log.
  package internal(set) var facts: [Dot: ChangeFacts] = [:]

  /// Creates the state of a palette without changes.
  public init(_ palette: PaletteID) {
    self.palette = palette
  }

  /// Merges the bytes of a change.
  ///
  /// - Returns: False when the change was held already.
  /// - Throws: `Refusal` when the change cannot be taken; the state is as before.
  @discardableResult
  public mutating func merge(_ bytes: [UInt8]) throws(Refusal) -> Bool {
    let change: Change
    do {
      change = try Change(decoding: bytes, in: palette)
    } catch {
      throw .malformed(error)
    }
    let dot = change.dot
    let hash = ChangeHash(of: bytes, in: palette)
    guard try change.continues(frontier[dot.node], hash: hash, heldHash: facts[dot]?.hash) else {
      return false
    }
    log[dot] = bytes
    facts[dot] = ChangeFacts(stamp: change.stamp, hash: hash)
    apply(change, hash: hash)
    return true
  }

  private mutating func apply(_ change: Change, hash: ChangeHash) {
    let dot = change.dot
    advance(dot.node, to: StreamHead(sequence: dot.sequence, link: hash.link))
    let marks = (ahead.removeValue(forKey: dot) ?? []).filter { $0.record == change.record }
    var record = records[change.record] ?? RecordState()
    let effect = record.merge(
      change,
      hash: hash,
      marks: Array(marks),
      holds: { frontier.holds($0) },
      facts: fact(of:)
    )
    records[change.record] = record.values.isEmpty ? nil : record
    digest += effect.added
    digest -= effect.removed
    for mark in effect.ahead { ahead[mark.dot, default: []].insert(mark) }
    if change.kind.writesRegisters { highestWrite[dot.node] = dot.sequence }
    if change.kind == .drop { dropped.join(change.frontier + [dot]) }
  }

  /// The facts of a change with a live value; such a change is always in the log.
  package func fact(of dot: Dot) -> ChangeFacts {
    guard let fact = facts[dot] else { preconditionFailure("no change for live value \(dot)") }
    return fact
  }

  mutating func advance(_ node: NodeID, to head: StreamHead) {
    if let old = frontier[node] { digest -= Digest(node, old) }
    digest += Digest(node, head)
    frontier[node] = head
  }
}

extension Change {
  /// Whether this is the author's next change, after the head that is held.
  ///
  /// - Returns: False when the change is held already.
  /// - Throws: `Refusal` when it does not fit what is held.
  package func continues(
    _ head: StreamHead?,
    hash: ChangeHash,
    heldHash: @autoclosure () -> ChangeHash?
  ) throws(Refusal) -> Bool {
    let held = head?.sequence ?? 0
    if dot.sequence <= held {
      // A change that was compacted away cannot be compared, and counts as equal.
      if let known = heldHash(), known != hash { throw .equivocation }
      return false
    }
    guard dot.sequence == held + 1 else { throw .gap(held: held) }
    guard previous == head?.link ?? 0 else { throw .fork }
    return true
  }
}

extension [NodeID: UInt32] {
  /// Raises each author's number to that of the dots.
  package mutating func join(_ dots: some Sequence<Dot>) {
    for dot in dots { self[dot.node] = Swift.max(self[dot.node] ?? 0, dot.sequence) }
  }
}
