internal import PaletteMerge
internal import PaletteModel

/// The connections that concern each palette, and each member, so that an edit costs what it costs
/// in a small hub however many machines are connected.
struct PeerConnectionIndex {
  /// Connections about the whole library, in order.
  private var wide: [PeerConnectionID] = []
  /// Connections about single palettes, in order for each.
  private var narrow: [PaletteID: [PeerConnectionID]] = [:]
  private var scopes: [PeerConnectionID: Scope] = [:]
  private var members: [PeerConnectionID: Int64] = [:]
  private var counts: [Int64: Int] = [:]

  /// The number of connections that are past their greeting.
  var count: Int { scopes.count }

  /// Those that are about the whole library, in order.
  var ofLibrary: [PeerConnectionID] { wide }

  /// Those that may speak of a palette, in order.
  func concerning(_ palette: PaletteID) -> [PeerConnectionID] {
    guard let own = narrow[palette] else { return wide }
    var merged: [PeerConnectionID] = []
    merged.reserveCapacity(own.count + wide.count)
    var rest = wide[...]
    for connection in own {
      while let first = rest.first, first.rawValue < connection.rawValue {
        merged.append(first)
        rest.removeFirst()
      }
      merged.append(connection)
    }
    return merged + rest
  }

  /// Those that may speak of one of these palettes, in order.
  func concerning(_ palettes: some Collection<PaletteID>) -> [PeerConnectionID] {
    if palettes.count == 1, let palette = palettes.first { return concerning(palette) }
    var all = Set(wide)
    for palette in palettes { all.formUnion(narrow[palette] ?? []) }
    return all.sorted { $0.rawValue < $1.rawValue }
  }

  /// Adds a connection that is past its greeting; its scope stays as it is until it ends.
  mutating func add(_ connection: PeerConnectionID, _ scope: Scope) {
    remove(scopeOf: connection)
    scopes[connection] = scope
    switch scope {
    case .library: wide.insert(connection, at: Self.position(of: connection, in: wide))
    case .palettes(let palettes):
      for palette in palettes {
        let position = Self.position(of: connection, in: narrow[palette] ?? [])
        narrow[palette, default: []].insert(connection, at: position)
      }
    }
  }

  /// Records as which member a connection came in.
  ///
  /// - Returns: How many connections the member has now.
  mutating func add(_ connection: PeerConnectionID, of member: Int64) -> Int {
    remove(memberOf: connection)
    members[connection] = member
    counts[member, default: 0] += 1
    return counts[member] ?? 0
  }

  /// Forgets a connection that has ended.
  mutating func remove(_ connection: PeerConnectionID) {
    remove(scopeOf: connection)
    remove(memberOf: connection)
  }

  private mutating func remove(memberOf connection: PeerConnectionID) {
    guard let member = members.removeValue(forKey: connection), let count = counts[member] else {
      return
    }
    counts[member] = count > 1 ? count - 1 : nil
  }

  private mutating func remove(scopeOf connection: PeerConnectionID) {
    switch scopes.removeValue(forKey: connection) {
    case .library: Self.remove(connection, from: &wide)
    case .palettes(let palettes):
      for palette in palettes {
        guard narrow[palette] != nil else { continue }
        Self.remove(connection, from: &narrow[palette, default: []])
        if narrow[palette]?.isEmpty == true { narrow[palette] = nil }
      }
    case nil: break
    }
  }

  private static func remove(
    _ connection: PeerConnectionID,
    from connections: inout [PeerConnectionID]
  ) {
    let position = position(of: connection, in: connections)
    if position < connections.count, connections[position] == connection {
      connections.remove(at: position)
    }
  }

  /// The index of a connection among others, or the one that it would have.
  private static func position(of connection: PeerConnectionID, in connections: [PeerConnectionID])
    -> Int
  {
    // Mostly it is the newest.
    if let last = connections.last, last.rawValue < connection.rawValue { return connections.count }
    return connections.endOfPrefix { $0.rawValue < connection.rawValue }
  }
}
