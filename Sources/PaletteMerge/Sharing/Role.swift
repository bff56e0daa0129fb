public import PaletteModel

/// The rights that a grant gives its member.
public enum Role: String, CaseIterable, Comparable, Hashable, Sendable {
  /// Reads.
  case viewer
  /// Reads, and pushes changes that its own library made.
  case editor
  /// Reads, and pushes anyone's changes: another machine of the same people.
  case relay
  /// A relay that also shares and revokes.
  case owner

  /// Each role may do what the one before it may.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .viewer: 0
    case .editor: 1
    case .relay: 2
    case .owner: 3
    }
  }
}

/// The palettes that two sides may speak of.
public enum Scope: Hashable, Sendable {
  /// Every palette, those made later included.
  case library
  /// Some palettes.
  case palettes(Set<PaletteID>)

  /// Returns whether a palette lies within.
  public func covers(_ palette: PaletteID) -> Bool {
    switch self {
    case .library: true
    case .palettes(let palettes): palettes.contains(palette)
    }
  }
}

/// A role on one palette or on the whole library, for ever or until some time.
public struct Grant: Hashable, Sendable {
  /// The role of the member.
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

  /// Returns whether the grant still counts at a time.
  public func isLive(atMilliseconds now: Int64) -> Bool {
    expiresMilliseconds.map { now < $0 } ?? true
  }

  /// Returns whether whoever has this grant may do all that another one allows.
  public func covers(_ other: Grant) -> Bool {
    role >= other.role && (palette == nil || palette == other.palette)
  }
}
