public import PaletteModel

/// A right that this library granted to another, or to a script.
public struct StoredToken: Hashable, Sendable {
  /// How the token is called in commands and lists: eight hexadecimal digits.
  public let id: String
  /// The word of its role.
  public let role: String
  /// The one palette that it covers; nil for the whole library.
  public let palette: PaletteID?
  /// When it was made, in milliseconds since 1970.
  public let createdMilliseconds: Int64
  /// Until when it can be redeemed, or used by a script; nil for ever.
  public let expiresMilliseconds: Int64?
  /// The library that redeemed it; nil while nobody has.
  public let library: RecordID?
  /// The node that used it last.
  public let node: NodeID?
  /// When it was used last.
  public let lastSeenMilliseconds: Int64?
  /// Whether it was revoked.
  public let isRevoked: Bool
  /// Whether it must be redeemed by a library before it is of use.
  public let isJoinCode: Bool

  /// Until when a script can use it; one that was redeemed by a library does not expire.
  package var endMilliseconds: Int64 {
    isJoinCode ? .max : expiresMilliseconds ?? .max
  }
}
