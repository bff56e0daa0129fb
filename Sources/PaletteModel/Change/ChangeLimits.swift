/// The sizes beyond which bytes are no change, on every node.
///
/// The limits that bind authors are lower, and are checked before a change is made.
public enum ChangeLimits {
  /// The most bytes a change may have.
  public static let changeBytes = 60 * 1024
  /// The most bytes a name or note may have.
  public static let textBytes = 16 * 1024
  /// The most bytes a place may have.
  public static let placeBytes = 1024
}
