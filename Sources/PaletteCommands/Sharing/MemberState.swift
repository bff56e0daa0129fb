package import PaletteModel
package import PaletteStore

/// How a member stands at a running node.
package struct MemberPresence {
  /// Whether it is connected.
  package var isLive = false
  /// Since when it is connected, or is not; nil where that is not known.
  package var sinceMilliseconds: Int64?
  /// The time of its last message; nil if there was none since the node began.
  package var lastHeardMilliseconds: Int64?
  /// How many changes it has not stated to hold; nil where that is not known.
  package var pending: Int?
  /// The palettes that it has in view.
  package var views: [PaletteID] = []

  package init() {}
}

/// A member of the library, as its owner is told of it.
package struct MemberState {
  package let member: Member
  package let presence: MemberPresence
  /// Its rights that count.
  package let grants: [StoredGrant]

  /// When it was last there.
  package var lastContactMilliseconds: Int64? {
    [member.lastSeenMilliseconds, presence.lastHeardMilliseconds].compactMap(\.self).max()
  }
}
