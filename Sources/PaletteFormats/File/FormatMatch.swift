/// The likeness of a file's bytes to a format.
public enum FormatMatch: Int, Comparable, Sendable {
  /// They are not of the format.
  case none = 0
  /// They can be read as the format, as they can be as others.
  case possible = 2
  /// They look like nothing else.
  case likely = 4
  /// They begin as only this format does.
  case certain = 8

  /// Returns whether the left is the weaker match.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension FormatMatch {
  /// The first where a condition holds, else none.
  init(_ match: Self, if condition: Bool) {
    self = condition ? match : .none
  }
}
