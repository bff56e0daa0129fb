import PaletteMerge
import PaletteModel

/// A change that an author made, with what the author saw then.
struct Fact {
  let bytes: [UInt8]
  let change: Change
  /// The machine at which it was made.
  let machine: Int
  /// The step in which it was made.
  let step: Int
  /// For each register written, the live values that the author saw there.
  let seen: [Register: Set<Dot>]
  /// For a delete or drop, the live dots that the author saw on the record.
  let covered: Set<Dot>
  /// For a drop, how far the author held everyone's changes.
  let frontier: [NodeID: UInt32]
  /// True if it may be gone: nobody but a machine that was rolled back held it.
  var isLoose = false
  /// True if it says again what changes did that are held.
  var isRestatement = false
}

/// A rule that a simulation found broken.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of violation, as a stable word: a script is shortened as long as it stays.
  public let kind: String
  /// The details.
  public let text: String

  init(_ kind: String, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Kind and text.
  public var description: String { "\(kind): \(text)" }
}
