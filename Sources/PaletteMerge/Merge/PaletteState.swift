public import PaletteModel

/// The state that one palette's changes amount to: the merge rules as a value, without a store.
///
/// Merging is commutative, associative and idempotent: the same changes give the same state in
/// whatever order they come, as long as each author's come in sequence.
public struct PaletteState: Sendable {
  /// The palette.
  public let palette: PaletteID
  /// The frontier: the point up to which each author's changes are held.
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
  /// The marks of held changes on dots that are not held.
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
    let marks = Array(ahead.removeValue(forKey: dot) ?? [])
    var record = records[change.record] ?? RecordState()
    let effect = record.merge(
      change,
      hash: hash,
      marks: marks,
      holds: { frontier.holds($0) },
      facts: fact(of:)
    )
    records[change.record] = record.values.isEmpty ? nil : record
    digest += effect.added
    digest -= effect.removed
    if change.kind.writesRegisters { highestWrite[dot.node] = dot.sequence }
    if marks.contains(where: { $0.drops(hash) }) { dropped.join([dot]) }
    let drop = change.drop(holds: { frontier.holds($0) }, proof: proof(of:))
    dropped.join(drop.reached)
    for mark in effect.ahead + drop.ahead { ahead[mark.dot, default: []].insert(mark) }
  }

  /// The first four bytes of the hash of a change that is held; nil where nothing tells them any more.
  func proof(of dot: Dot) -> UInt32? {
    if let head = frontier[dot.node], head.sequence == dot.sequence { return head.proof }
    return facts[dot]?.hash.proof
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
    /// True if a delete covers them.
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
    marks: Set<ValueName> = []
  ) {
    self.init(palette)
    var marks = marks
    for (change, bytes) in changes {
      log[change.dot] = bytes
      let hash = ChangeHash(of: bytes, in: palette)
      facts[change.dot] = ChangeFacts(stamp: change.stamp, hash: hash)
    }
    let facts = facts
    func isMeant(_ seen: SeenDot) -> Bool { facts[seen.dot].map { seen.fits($0.hash) } ?? true }
    for (change, _) in changes {
      for mark in change.marks where isMeant(mark.seen) { marks.insert(mark.value) }
    }
    for (change, _) in changes {
      let dot = change.dot
      let hash = fact(of: dot).hash
      if dot.sequence > frontier[dot.node]?.sequence ?? 0 {
        frontier[dot.node] = StreamHead(sequence: dot.sequence, link: hash.link)
      }
      if change.kind.writesRegisters { highestWrite.join([dot]) }
      if change.kind == .drop {
        dropped.join(change.reach.filter { isMeant($0) }.dots + [dot])
      }
      insertLiveValues(of: change, marks)
    }
    digest = computedDigest
  }

  private mutating func insertLiveValues(of change: Change, _ marks: Set<ValueName>) {
    let covered = ValueName(record: change.record, dot: change.dot, register: nil)
    for write in change.writes {
      let replaced = ValueName(
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
  /// Returns whether this is the author's next change, after the head that is held.
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

  /// The marks of the change on other dots: replaced for a register, or covered.
  package var marks: [(value: ValueName, seen: SeenDot)] {
    func mark(_ seen: SeenDot, _ register: Register?) -> (value: ValueName, seen: SeenDot) {
      (ValueName(record: record, dot: seen.dot, register: register), seen)
    }
    return writes.flatMap { write in write.saw.map { mark($0, write.register) } }
      + covers.map { mark($0, nil) }
  }

  /// The entries of a drop's frontier that count: no author has seen changes that it has yet to make.
  fileprivate var reach: [SeenDot] {
    frontier.filter { $0.dot.node != dot.node || $0.dot.sequence < dot.sequence }
  }

  /// The reach of a drop, with its own dot, and its marks on changes that are not held; nothing for
  /// any other change.
  ///
  /// Of a change whose hash is not known any more the drop is believed: values replaced and compacted
  /// long ago cannot be told apart, and whoever makes a drop may hide them all.
  ///
  /// - Parameters:
  ///   - holds: Whether a dot is held.
  ///   - proof: The first four bytes of the hash of a change that is held, where they are known.
  /// - Returns: The dots up to which changes are dropped, and what waits.
  /// - Throws: What `proof` throws.
  package func drop<Failure>(
    holds: (Dot) -> Bool,
    proof: (Dot) throws(Failure) -> UInt32?
  ) throws(Failure) -> (reached: [Dot], ahead: [PendingReference]) {
    guard kind == .drop else { return ([], []) }
    var (reached, ahead) = ([dot], [PendingReference]())
    for seen in reach {
      guard let wanted = seen.proof else {
        reached.append(seen.dot)
        continue
      }
      if !holds(seen.dot) {
        ahead.append(PendingReference(record: record, dot: seen.dot, .dropped, proof: wanted))
      } else if try proof(seen.dot) ?? wanted == wanted {
        reached.append(seen.dot)
      }
    }
    return (reached, ahead)
  }
}

extension [NodeID: UInt32] {
  /// Raises each author's number to that of the dots.
  package mutating func join(_ dots: some Sequence<Dot>) {
    for dot in dots { self[dot.node] = Swift.max(self[dot.node] ?? 0, dot.sequence) }
  }
}
