/// Whoever makes changes in a library: the library itself, or a member that edits through it.
public struct AuthorID: Hashable, Sendable {
  /// 0 for the library itself, else the number of the member.
  public let rawValue: Int64

  /// Names an author by its number.
  public init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number of the member; nil for the library itself.
  public var member: Int64? { self == .library ? nil : rawValue }

  /// The library itself.
  public static let library = AuthorID(0)
}
