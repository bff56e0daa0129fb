internal import PaletteCommands
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

extension NodeCore {
  /// How members stand: machines by their sessions, others by their connections of the API.
  ///
  /// - Parameters:
  ///   - members: The members.
  ///   - connections: The connections of the API of each, with since when each is there.
  /// - Returns: How each of them stands.
  /// - Throws: `StoreError` when the store failed.
  func presences(
    of members: [Member],
    connections: [Int64: [ConnectionID: Int64]]
  ) throws -> [Int64: MemberPresence] {
    let views = presence.palettesInView
    var presences: [Int64: MemberPresence] = [:]
    for member in members {
      var found = MemberPresence()
      var seen: Set<PaletteID> = []
      if member.kind == .machine, let standing = standing(ofMember: member.id) {
        found.isLive = standing.isLive
        found.sinceMilliseconds = standing.sinceMilliseconds
        found.lastHeardMilliseconds = standing.lastHeardMilliseconds
        found.pending = standing.lackedChanges
        let nodes = try member.library.map { try store.bindings.nodes(boundTo: $0) } ?? []
        for view in views where nodes.contains(view.who.node) { seen.insert(view.palette) }
      } else if let own = connections[member.id], !own.isEmpty {
        found.isLive = true
        found.sinceMilliseconds = own.values.min()
        let sessions = Set(own.keys.map(\.rawValue))
        for view in views where view.who.node == store.node && sessions.contains(view.who.session) {
          seen.insert(view.palette)
        }
      }
      found.views = seen.sorted()
      presences[member.id] = found
    }
    return presences
  }
}
