public import PaletteModel

/// What became of a change that came from elsewhere.
public enum Arrival: Sendable {
  /// It was new, and is held now.
  case merged
  /// It was held already.
  case held
  /// It cannot be taken.
  case refused(Refusal)
}
