public import PaletteModel

/// The live values of one record, and how a change alters them.
///
/// This is the whole of merging for a record. It is shared by the in-memory state of a palette and
/// by the store, which keeps live values in rows: both ask for the facts of a change only when a
/// value is replaced, covered or compared.
public struct RecordState: Hashable, Sendable {
  /// The live values, ordered by register and dot.
  public private(set) var values: [LiveValue]

  /// Creates the state of a record from its live values in order.
  package init(values: [LiveValue] = []) {
    self.values = values
  }

  /// The effect of merging a change beside the altered live values.
  package struct Effect {
    /// The part to add to the digest.
    package var added = Digest.zero
    /// The part to take away from the digest.
    package var removed = Digest.zero
    /// The marks on dots that are not held.
    package var ahead: [PendingReference] = []

    /// Notes what was said of a dot that is not held; an author's own are held before the change.
    fileprivate mutating func wait(
      _ seen: SeenDot,
      _ record: RecordID,
      _ effect: PendingReference.Effect
    ) {
      guard let proof = seen.proof else { return }
      ahead.append(PendingReference(record: record, dot: seen.dot, effect, proof: proof))
    }
  }

  /// True while at least one live dot is not covered.
  public var isVisible: Bool { values.contains { !$0.isCovered } }

  /// True when the registers that a color needs to be shown all have a value.
  public var isComplete: Bool {
    [Register.name, .color, .place].allSatisfy { register in
      values.contains { $0.register == register }
    }
  }

  /// The registers with several different live values, in order.
  ///
  /// Equal values are one value, and places resolve silently.
  public var conflicts: [Register] {
    var conflicts: [Register] = []
    forEachConflict { if conflicts.last != $0 { conflicts.append($0) } }
    return conflicts
  }

  /// Tells of the registers with several different live values, in order, and perhaps repeatedly.
  package func forEachConflict(_ body: (Register) -> Void) {
    for index in values.indices.dropFirst() {
      let register = values[index].register
      if register == values[index - 1].register, register.isKnown, register != .place,
        values[index].value != values[index - 1].value
      {
        body(register)
      }
    }
  }

  /// The live values of a register.
  public func values(of register: Register) -> [LiveValue] {
    values.filter { $0.register == register }
  }

  /// The dots of a register's live values, in order.
  package func dots(of register: Register) -> [Dot] {
    var dots: [Dot] = []
    for value in values where value.register == register { dots.append(value.dot) }
    return dots
  }

  /// Returns whether a register's live values are all equal to a value, of which there is at least
  /// one.
  package func agrees(on value: RegisterValue, in register: Register) -> Bool {
    var isThere = false
    for live in values where live.register == register {
      guard live.value == value else { return false }
      isThere = true
    }
    return isThere
  }

  /// The live values' dots, each once, in order.
  package var dots: [Dot] { Self.dots(of: values) }

  /// The dots of live values that no delete saw, each once, in order.
  package var uncoveredDots: [Dot] { Self.dots(of: values.filter { !$0.isCovered }) }

  private static func dots(of values: [LiveValue]) -> [Dot] {
    var dots = values.map(\.dot)
    dots.sort()
    var kept = 0
    for dot in dots where kept == 0 || dots[kept - 1] != dot {
      dots[kept] = dot
      kept += 1
    }
    dots.removeSubrange(kept...)
    return dots
  }

  /// The value of a register that is shown: that with the greatest stamp, node and sequence.
  package func shown<Failure>(
    _ register: Register,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) -> LiveValue? {
    try shownIndex(register, facts: facts).map { values[$0] }
  }

  /// The index, among the live values, of the value of a register that is shown.
  package func shownIndex<Failure>(
    _ register: Register,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) -> Int? {
    guard var best = values.firstIndex(where: { $0.register == register }) else { return nil }
    var bestStamp: Stamp?
    for index in values.indices.dropFirst(best + 1) where values[index].register == register {
      let stamp = try facts(values[index].dot).stamp
      let least = if let bestStamp { bestStamp } else { try facts(values[best].dot).stamp }
      // Dots ascend, so that an equal stamp leaves the decision to the later dot.
      if least <= stamp { best = index }
      bestStamp = max(least, stamp)
    }
    return best
  }

  /// Merges a change about this record.
  ///
  /// - Parameters:
  ///   - change: A change that is not held yet and whose author's previous change is.
  ///   - hash: Its hash.
  ///   - marks: What held changes said of its dot; of that counts what is about this record and fits.
  ///   - holds: Whether a dot is held.
  ///   - facts: The facts of a change with a live value.
  /// - Returns: What else changed.
  /// - Throws: What `facts` throws.
  package mutating func merge<Failure>(
    _ change: Change,
    hash: ChangeHash,
    marks: [PendingReference],
    holds: (Dot) -> Bool,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) -> Effect {
    var effect = Effect()
    let said = marks.filter { $0.record == change.record && $0.proof == hash.proof }
    for write in change.writes {
      if said.isEmpty, let index = indexToReplace(by: write, change.dot),
        case let old = values[index], case let removed = try facts(old.dot).hash,
        write.saw[0].fits(removed)
      {
        effect.removed += Digest(removed, old.register, covered: old.isCovered)
        values[index] = LiveValue(
          register: write.register,
          dot: change.dot,
          isCovered: false,
          value: write.value
        )
        effect.added += Digest(hash, write.register, covered: false)
        continue
      }
      effect.removed += try removeValues(sawBy: write, facts: facts)
      // What is live is held.
      for seen in write.saw where !holds(seen.dot) {
        effect.wait(seen, change.record, .replaced(write.register))
      }
      guard !said.contains(where: { $0.effect == .replaced(write.register) }) else { continue }
      let isCovered = said.contains { $0.effect == .covered }
      insert(
        LiveValue(
          register: write.register,
          dot: change.dot,
          isCovered: isCovered,
          value: write.value
        )
      )
      effect.added += Digest(hash, write.register, covered: isCovered)
    }
    for seen in change.covers where !holds(seen.dot) {
      effect.wait(seen, change.record, .covered)
    }
    try cover(change.covers, facts: facts, &effect)
    return effect
  }

  /// Covers the values that a delete or drop saw.
  private mutating func cover<Failure>(
    _ seen: [SeenDot],
    facts: (Dot) throws(Failure) -> ChangeFacts,
    _ effect: inout Effect
  ) throws(Failure) {
    guard !seen.isEmpty else { return }
    for index in values.indices where !values[index].isCovered {
      guard let named = seen.naming(values[index].dot) else { continue }
      let hash = try facts(named.dot).hash
      guard named.fits(hash) else { continue }
      effect.removed += Digest(hash, values[index].register, covered: false)
      effect.added += Digest(hash, values[index].register, covered: true)
      values[index].isCovered = true
    }
  }

  /// Removes the values that a write saw, in one pass: there may be thousands of both.
  ///
  /// - Returns: What they added to the digest.
  private mutating func removeValues<Failure>(
    sawBy write: Change.Write,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) -> Digest {
    var removed = Digest.zero
    guard !write.saw.isEmpty else { return removed }
    var kept: [LiveValue] = []
    for value in values {
      guard value.register == write.register, let seen = write.saw.naming(value.dot),
        case let hash = try facts(value.dot).hash, seen.fits(hash)
      else {
        kept.append(value)
        continue
      }
      removed += Digest(hash, value.register, covered: value.isCovered)
    }
    if kept.count < values.count { values = kept }
    return removed
  }

  /// Index of the only value that the write replaces, if the new value keeps its position in the
  /// order.
  private func indexToReplace(by write: Change.Write, _ dot: Dot) -> Int? {
    guard write.saw.count == 1, let index = index(of: write.register, write.saw[0].dot) else {
      return nil
    }
    if index > 0, values[index - 1].register == write.register, values[index - 1].dot > dot {
      return nil
    }
    if index + 1 < values.count, values[index + 1].register == write.register,
      values[index + 1].dot < dot
    {
      return nil
    }
    return index
  }

  private func index(of register: Register, _ dot: Dot) -> Int? {
    values.firstIndex { $0.register == register && $0.dot == dot }
  }

  package mutating func insert(_ value: LiveValue) {
    // Most come behind all others.
    if let last = values.last, (last.register, last.dot) < (value.register, value.dot) {
      values.append(value)
      return
    }
    // A record may have thousands, of registers that were written at the same time.
    let index = values.endOfPrefix { ($0.register, $0.dot) <= (value.register, value.dot) }
    values.insert(value, at: index)
  }

  /// The live values of a record after two states of it meet.
  ///
  /// A value that one side alone has stays if the other does not hold its dot and no side has seen
  /// it replaced before it came.
  package init<Failure>(
    joining ours: RecordState,
    _ theirs: RecordState,
    record: RecordID,
    frontiers: (ours: Frontier, theirs: Frontier),
    marks: Set<PendingReference>,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) {
    self.init()
    func isSaid(
      _ effect: PendingReference.Effect,
      of dot: Dot
    ) throws(Failure) -> Bool {
      // Mostly nothing waits, and no hash has to be known.
      guard !marks.isEmpty else { return false }
      let proof = try facts(dot).hash.proof
      return marks.contains(PendingReference(record: record, dot: dot, effect, proof: proof))
    }
    func keep(
      _ value: LiveValue,
      against other: RecordState,
      _ frontier: Frontier
    ) throws(Failure) {
      let twin = other.values.first { $0.register == value.register && $0.dot == value.dot }
      if twin == nil {
        guard !frontier.holds(value.dot), try !isSaid(.replaced(value.register), of: value.dot)
        else { return }
      }
      var kept = value
      if let twin {
        kept.isCovered = value.isCovered || twin.isCovered
      } else if !value.isCovered {
        // Of what both hold, nothing waits.
        kept.isCovered = try isSaid(.covered, of: value.dot)
      }
      insert(kept)
    }
    for value in ours.values { try keep(value, against: theirs, frontiers.theirs) }
    for value in theirs.values
    where !ours.values.contains(where: { $0.register == value.register && $0.dot == value.dot }) {
      try keep(value, against: ours, frontiers.ours)
    }
  }
}

/// A value that no change has replaced.
public struct LiveValue: Hashable, Sendable {
  /// The register that holds it.
  public let register: Register
  /// The change that wrote it.
  public let dot: Dot
  /// True when a delete saw it.
  public internal(set) var isCovered: Bool
  /// The value.
  public let value: RegisterValue

  package init(register: Register, dot: Dot, isCovered: Bool, value: RegisterValue) {
    self.register = register
    self.dot = dot
    self.isCovered = isCovered
    self.value = value
  }
}
