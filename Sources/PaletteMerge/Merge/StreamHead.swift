public import PaletteModel

/// The head of an author's changes in a palette: the highest sequence held and that change's link.
public struct StreamHead: Hashable, Sendable {
  /// The highest sequence number held.
  public let sequence: UInt32
  /// The link of the change with that number.
  public let link: UInt64

  /// The first four bytes of that change's hash.
  package var proof: UInt32 { UInt32(truncatingIfNeeded: link >> 32) }

  /// Creates a head.
  public init(sequence: UInt32, link: UInt64) {
    self.sequence = sequence
    self.link = link
  }
}

/// For one palette, how far every author's changes are held.
public typealias Frontier = [NodeID: StreamHead]

extension Frontier {
  /// True when the change named by the dot is held.
  public func holds(_ dot: Dot) -> Bool {
    (self[dot.node]?.sequence ?? 0) >= dot.sequence
  }
}

/// Something a held change said of a dot that is not held yet.
///
/// Nothing waits for it: when the dot arrives, its value is dead, or covered, at once, unless the proof
/// does not fit. Then it was said of a change that nobody had seen, and is forgotten.
public struct PendingReference: Hashable, Sendable {
  /// The record that the change was about.
  public let record: RecordID
  /// The dot that is not held.
  public let dot: Dot
  /// The mark's effect on it.
  public let effect: Effect
  /// The first four bytes of the hash of the change that was meant.
  public let proof: UInt32

  /// The effect of a change on another.
  public enum Effect: Hashable, Sendable {
    /// Its value of a register is replaced.
    case replaced(Register)
    /// All that it wrote is covered.
    case covered
    /// It and all before it lie within a drop.
    case dropped
  }

  /// Creates a pending reference.
  public init(record: RecordID, dot: Dot, _ effect: Effect, proof: UInt32) {
    self.record = record
    self.dot = dot
    self.effect = effect
    self.proof = proof
  }

  /// Returns whether the change with this hash, which has its dot, is the end of what a drop saw.
  package func drops(_ hash: ChangeHash) -> Bool { effect == .dropped && proof == hash.proof }
}

/// Names a value that a change wrote, or with no register whatever it wrote.
package struct ValueName: Hashable, Sendable {
  /// The record.
  package let record: RecordID
  /// The change.
  package let dot: Dot
  /// The register.
  package let register: Register?

  /// Names a value.
  package init(record: RecordID, dot: Dot, register: Register?) {
    self.record = record
    self.dot = dot
    self.register = register
  }
}
