import PaletteMerge
import PaletteModel

/// The stamps and hashes of the changes that a transaction has come across.
///
/// It is a class because merging asks it from within closures.
final class FactTable {
  private var facts: [Dot: ChangeFacts] = [:]

  /// The facts about a change.
  subscript(dot: Dot) -> ChangeFacts? { facts[dot] }

  /// Adds what is known of a change.
  func put(_ known: ChangeFacts, for dot: Dot) { facts[dot] = known }

  /// Makes room for as many changes more.
  func reserve(_ count: Int) { facts.reserveCapacity(facts.count + count) }

  /// Forgets everything.
  func removeAll() { facts = [:] }
}
