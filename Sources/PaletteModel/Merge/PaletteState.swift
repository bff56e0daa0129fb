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

  /// A change with those of its values that are live.
  package struct LiveChange {
    /// The change.
    package let change: Change
    /// Its bytes.
    package let bytes: [UInt8]
    /// The registers whose values are live.
    package var registers: [Register]
    /// Whether a delete covers them.
    package let isCovered: Bool

    /// Describes a change.
    package init(change: Change, bytes: [UInt8], registers: [Register], isCovered: Bool) {
      self.change = change
      self.bytes = bytes
      self.registers = registers
      self.isCovered = isCovered
    }
  }

  /// The state that some live values amount to; nothing can be merged into it.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - live: The changes with live values.
  ///   - frontier: The newest change of every author.
  ///   - highestWrite: The newest one that wrote registers.
  ///   - dropped: The joined frontiers of drops.
  package init(
    _ palette: PaletteID,
    live: [LiveChange],
    frontier: Frontier,
    highestWrite: [NodeID: UInt32],
    dropped: [NodeID: UInt32]
  ) {
    self.init(palette)
    self.frontier = frontier
    self.highestWrite = highestWrite
    self.dropped = dropped
    for entry in live {
      let dot = entry.change.dot
      let hash = ChangeHash(of: entry.bytes, in: palette)
      log[dot] = entry.bytes
      facts[dot] = ChangeFacts(stamp: entry.change.stamp, hash: hash)
      for write in entry.change.writes where entry.registers.contains(write.register) {
        records[entry.change.record, default: RecordState()].insert(
          LiveValue(
            register: write.register,
            dot: dot,
            isCovered: entry.isCovered,
            value: write.value
          )
        )
      }
    }
    digest = computedDigest
  }

  /// True when a write held in the palette lies within no drop.
  ///
  /// So an edit that no drop saw brings the palette back whole.
  public var isVisible: Bool {
    highestWrite.contains { $0.value > dropped[$0.key] ?? 0 }
  }

  /// The value of a register that is shown.
  public func shown(_ register: Register, of record: RecordID) -> RegisterValue? {
    records[record]?.shown(register, facts: fact(of:))?.value
  }

  /// The palette's name.
  public var name: String? { shown(.name, of: palette.record)?.text }

  /// The records of colors that are visible and complete, in the palette's order.
  public var listed: [RecordID] {
    let listed = records.compactMap { id, state -> (place: [UInt8], id: RecordID)? in
      guard id != palette.record, state.isVisible, state.isComplete,
        let place = shown(.place, of: id)?.placeBytes
      else { return nil }
      return (place, id)
    }
    return listed.sorted { left, right in
      left.place == right.place
        ? left.id < right.id : left.place.lexicographicallyPrecedes(right.place)
    }.map(\.id)
  }

  /// The registers of a record with several different live values, places apart.
  public func conflicts(of record: RecordID) -> [Register] {
    records[record]?.conflicts ?? []
  }

  /// The state that a set of changes amounts to, whatever is missing between them.
  ///
  /// Reading the past leaves out single changes of an author whose clock was wrong, so sequences may
  /// have holes here, and nothing can be merged into the result.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - changes: The changes, in any order, each with its bytes.
  ///   - marks: Values to take as replaced, and dots to take as covered, before all of them.
  package init(
    _ palette: PaletteID,
    of changes: some Sequence<(change: Change, bytes: [UInt8])>,
    marks: Set<PendingReference> = []
  ) {
    self.init(palette)
    var marks = marks
    for (change, _) in changes { marks.formUnion(change.marks) }
    for (change, bytes) in changes {
      let dot = change.dot
      let hash = ChangeHash(of: bytes, in: palette)
      log[dot] = bytes
      facts[dot] = ChangeFacts(stamp: change.stamp, hash: hash)
      if dot.sequence > frontier[dot.node]?.sequence ?? 0 {
        frontier[dot.node] = StreamHead(sequence: dot.sequence, link: hash.link)
      }
      if change.kind.writesRegisters { highestWrite.join([dot]) }
      if change.kind == .drop { dropped.join(change.frontier + [dot]) }
      insertLiveValues(of: change, marks)
    }
    digest = computedDigest
  }

  private mutating func insertLiveValues(of change: Change, _ marks: Set<PendingReference>) {
    let covered = PendingReference(record: change.record, dot: change.dot, register: nil)
    for write in change.writes {
      let replaced = PendingReference(
        record: change.record,
        dot: change.dot,
        register: write.register
      )
      guard !marks.contains(replaced) else { continue }
      records[change.record, default: RecordState()].insert(
        LiveValue(
          register: write.register,
          dot: change.dot,
          isCovered: marks.contains(covered),
          value: write.value
        )
      )
    }
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

  /// What the change says of other dots: replaced for a register, or covered.
  package var marks: [PendingReference] {
    writes.flatMap { write in
      write.saw.map { PendingReference(record: record, dot: $0, register: write.register) }
    } + covers.map { PendingReference(record: record, dot: $0, register: nil) }
  }
}

extension [NodeID: UInt32] {
  /// Raises each author's number to that of the dots.
  package mutating func join(_ dots: some Sequence<Dot>) {
    for dot in dots { self[dot.node] = Swift.max(self[dot.node] ?? 0, dot.sequence) }
  }
}
