/// The name of a change: its author and the author's sequence number in one palette.
///
/// Sequence numbers are contiguous from 1 for each node and palette, and never used twice.
public struct Dot: Hashable, Sendable {
  /// The author.
  public let node: NodeID
  /// The author's sequence number in the palette, from 1.
  public let sequence: UInt32

  /// The greatest sequence number that a change may have.
  ///
  /// The one after it still fits into 32 bits, so that nobody counts beyond them.
  public static var lastSequence: UInt32 { .max - 1 }

  /// A number that a peer sent as a sequence number; nil when it is none.
  package static func sequence(_ number: UInt64) -> UInt32? {
    (1...UInt64(lastSequence)).contains(number) ? UInt32(number) : nil
  }

  /// Creates a dot.
  public init(_ node: NodeID, _ sequence: UInt32) {
    self.node = node
    self.sequence = sequence
  }
}

extension Dot: Comparable {
  /// Orders dots by node, then by sequence number.
  public static func < (left: Self, right: Self) -> Bool {
    left.node == right.node ? left.sequence < right.sequence : left.node < right.node
  }
}

extension Dot: LosslessStringConvertible {
  /// Creates a dot from `node:sequence`.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let node = NodeID(String(parts[0])),
      let sequence = UInt64(parts[1]).flatMap(Dot.sequence)
    else { return nil }
    self.init(node, sequence)
  }

  /// The dot as `node:sequence`.
  public var description: String { "\(node):\(sequence)" }
}

/// Dots that ascend, of which there may be thousands.
extension [Dot] {
  /// The index of the first dot that is not before another.
  func index(inOrder dot: Dot) -> Int { endOfPrefix { $0 < dot } }

  /// Returns whether a dot is among them.
  func contains(inOrder dot: Dot) -> Bool {
    let index = index(inOrder: dot)
    return index < endIndex && self[index] == dot
  }
}
