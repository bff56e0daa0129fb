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

  /// What merging a change did beside altering the live values.
  package struct Effect {
    /// What to add to the digest.
    package var added = Digest.zero
    /// What to take away from the digest.
    package var removed = Digest.zero
    /// What was said of dots that are not held.
    package var ahead: [AheadMark] = []
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
    for (earlier, later) in zip(values, values.dropFirst())
    where earlier.register == later.register && earlier.value != later.value {
      if later.register.isKnown, later.register != .place, conflicts.last != later.register {
        conflicts.append(later.register)
      }
    }
    return conflicts
  }

  /// The live values of a register.
  public func values(of register: Register) -> [LiveValue] {
    values.filter { $0.register == register }
  }

  /// The live values' dots, each once, in order.
  package var dots: [Dot] { Set(values.map(\.dot)).sorted() }

  /// The value of a register that is shown: that with the greatest stamp, node and sequence.
  package func shown<Failure>(
    _ register: Register,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) -> LiveValue? {
    let live = values(of: register)
    guard live.count > 1 else { return live.first }
    var best: (value: LiveValue, stamp: Stamp)?
    for value in live {
      let stamp = try facts(value.dot).stamp
      // Dots ascend, so that an equal stamp leaves the decision to the later dot.
      if best.map({ $0.stamp <= stamp }) ?? true { best = (value, stamp) }
    }
    return best?.value
  }

  /// Merges a change about this record.
  ///
  /// - Parameters:
  ///   - change: A change that is not held yet and whose author's previous change is.
  ///   - hash: Its hash.
  ///   - marks: What held changes said of its dot and this record.
  ///   - holds: Whether a dot is held.
  ///   - facts: The facts of a change with a live value.
  /// - Returns: What else changed.
  /// - Throws: What `facts` throws.
  package mutating func merge<Failure>(
    _ change: Change,
    hash: ChangeHash,
    marks: [AheadMark],
    holds: (Dot) -> Bool,
    facts: (Dot) throws(Failure) -> ChangeFacts
  ) throws(Failure) -> Effect {
    var effect = Effect()
    for write in change.writes {
      for dot in write.saw {
        if let index = index(of: write.register, dot) {
          let old = values.remove(at: index)
          effect.removed += Digest(try facts(dot).hash, old.register, covered: old.isCovered)
        } else if !holds(dot) {
          effect.ahead.append(AheadMark(record: change.record, dot: dot, register: write.register))
        }
      }
      guard !marks.contains(where: { $0.register == write.register }) else { continue }
      let isCovered = marks.contains { $0.register == nil }
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
    for dot in change.covers {
      if !holds(dot) {
        effect.ahead.append(AheadMark(record: change.record, dot: dot, register: nil))
      }
      for index in values.indices where values[index].dot == dot && !values[index].isCovered {
        let hash = try facts(dot).hash
        effect.removed += Digest(hash, values[index].register, covered: false)
        effect.added += Digest(hash, values[index].register, covered: true)
        values[index].isCovered = true
      }
    }
    return effect
  }

  private func index(of register: Register, _ dot: Dot) -> Int? {
    values.firstIndex { $0.register == register && $0.dot == dot }
  }

  package mutating func insert(_ value: LiveValue) {
    let index =
      values.firstIndex { ($0.register, $0.dot) > (value.register, value.dot) } ?? values.count
    values.insert(value, at: index)
  }
}
