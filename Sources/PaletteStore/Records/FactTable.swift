import PaletteMerge
import PaletteModel

/// The stamps and hashes of the changes that a transaction has come across.
///
/// It is a class because merging asks it from within closures.
final class FactTable {
  private var authors = KeyPositions<NodeID>()
  /// By the author's position and the sequence number: an integer is hashed in a third of the time
  /// that a dot takes.
  private var facts: [UInt64: ChangeFacts] = [:]

  private static func key(_ author: Int, _ sequence: UInt32) -> UInt64 {
    UInt64(author) << 32 | UInt64(sequence)
  }

  /// The facts about a change.
  subscript(dot: Dot) -> ChangeFacts? {
    authors.position(of: dot.node).flatMap { facts[Self.key($0, dot.sequence)] }
  }

  /// Adds what is known of a change.
  func put(_ known: ChangeFacts, for dot: Dot) {
    let author = authors.position(of: dot.node) ?? authors.append(dot.node)
    facts[Self.key(author, dot.sequence)] = known
  }

  /// Makes room for as many changes more.
  func reserve(_ count: Int) { facts.reserveCapacity(facts.count + count) }

  /// Forgets everything.
  func removeAll() { facts = [:] }
}
