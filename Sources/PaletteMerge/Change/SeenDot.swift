public import PaletteModel

/// A dot that a change says to have seen: a value that it replaces or covers, or the end of what it drops.
///
/// A change that does not exist yet cannot have been seen. So a dot of another author carries a proof, and a
/// mark whose proof does not fit the change of its dot is void.
public struct SeenDot: Hashable, Sendable {
  /// The dot.
  public let dot: Dot
  /// The first four bytes of the hash of the dot's change; nil where the dot is of the same author as the
  /// change that saw it, which the links of that author's changes bind.
  public let proof: UInt32?

  /// The length of a proof.
  static let proofBytes = 4

  /// Describes a dot with its proof.
  public init(_ dot: Dot, proof: UInt32? = nil) {
    self.dot = dot
    self.proof = proof
  }

  /// Describes a dot that an author saw.
  ///
  /// - Parameters:
  ///   - dot: The dot.
  ///   - author: Who saw it.
  ///   - proof: Gives the proof, where one is needed.
  /// - Throws: What `proof` throws.
  package init<Failure>(
    _ dot: Dot,
    by author: NodeID,
    proof: (Dot) throws(Failure) -> UInt32
  ) throws(Failure) {
    self.dot = dot
    self.proof = dot.node == author ? nil : try proof(dot)
  }

  /// Returns whether the change with this hash is the one that was seen.
  package func fits(_ hash: ChangeHash) -> Bool { fits(hash.proof) }

  /// Returns whether the change whose hash begins with these four bytes is the one that was seen.
  package func fits(_ proof: UInt32) -> Bool { self.proof ?? proof == proof }
}

extension ChangeHash {
  /// The first four bytes, by which changes of other authors say that they saw this one.
  public var proof: UInt32 { UInt32(truncatingIfNeeded: link >> 32) }
}

extension [SeenDot] {
  /// The dots alone.
  package var dots: [Dot] { map(\.dot) }

  /// Finds the mark on a dot; marks ascend, and there may be thousands.
  func naming(_ dot: Dot) -> SeenDot? {
    let index = endOfPrefix { $0.dot < dot }
    return index < endIndex && self[index].dot == dot ? self[index] : nil
  }
}
