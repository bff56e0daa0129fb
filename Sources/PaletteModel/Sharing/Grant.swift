/// A role on one palette or on the whole library, for ever or until some time.
public struct Grant: Hashable, Sendable {
  /// What the member may do.
  public let role: Role
  /// The one palette that it covers; nil for the whole library.
  public let palette: PaletteID?
  /// Until when it counts, in milliseconds since 1970; nil for ever.
  public let expiresMilliseconds: Int64?

  /// Describes a grant.
  public init(_ role: Role, on palette: PaletteID? = nil, expiresMilliseconds: Int64? = nil) {
    self.role = role
    self.palette = palette
    self.expiresMilliseconds = expiresMilliseconds
  }

  /// Whether the grant still counts at a time.
  public func isLive(atMilliseconds now: Int64) -> Bool {
    expiresMilliseconds.map { now < $0 } ?? true
  }

  /// Whether whoever has this grant may do all that another one allows.
  public func covers(_ other: Grant) -> Bool {
    role >= other.role && (palette == nil || palette == other.palette)
  }
}
