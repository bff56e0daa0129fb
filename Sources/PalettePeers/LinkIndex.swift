internal import PaletteModel

/// Which connections concern which palette, and which member, so that an edit costs what it costs in a
/// small hub however many machines are connected.
struct LinkIndex {
  /// Connections about the whole library, in order.
  private var wide: [LinkID] = []
  /// Connections about single palettes, in order for each.
  private var narrow: [PaletteID: [LinkID]] = [:]
  private var scopes: [LinkID: Scope] = [:]
  private var members: [LinkID: Int64] = [:]
  private var counts: [Int64: Int] = [:]

  /// How many connections are past their greeting.
  var count: Int { scopes.count }

  /// Those that are about the whole library, in order.
  var ofLibrary: [LinkID] { wide }

  /// Those that may speak of a palette, in order.
  func links(of palette: PaletteID) -> [LinkID] {
    guard let own = narrow[palette] else { return wide }
    var merged: [LinkID] = []
    merged.reserveCapacity(own.count + wide.count)
    var rest = wide[...]
    for link in own {
      while let first = rest.first, first.rawValue < link.rawValue {
        merged.append(first)
        rest.removeFirst()
      }
      merged.append(link)
    }
    return merged + rest
  }

  /// Those that may speak of one of these palettes, in order.
  func links(of palettes: some Collection<PaletteID>) -> [LinkID] {
    if palettes.count == 1, let palette = palettes.first { return links(of: palette) }
    var all = Set(wide)
    for palette in palettes { all.formUnion(narrow[palette] ?? []) }
    return all.sorted { $0.rawValue < $1.rawValue }
  }

  /// Adds a connection that is past its greeting; its scope stays as it is until it ends.
  mutating func add(_ link: LinkID, _ scope: Scope) {
    remove(scopeOf: link)
    scopes[link] = scope
    switch scope {
    case .library: wide.insert(link, at: Self.position(of: link, in: wide))
    case .palettes(let palettes):
      for palette in palettes {
        let position = Self.position(of: link, in: narrow[palette] ?? [])
        narrow[palette, default: []].insert(link, at: position)
      }
    }
  }

  /// Records as which member a connection came in.
  ///
  /// - Returns: How many connections the member has now.
  mutating func add(_ link: LinkID, of member: Int64) -> Int {
    remove(memberOf: link)
    members[link] = member
    counts[member, default: 0] += 1
    return counts[member] ?? 0
  }

  /// Forgets a connection that has ended.
  mutating func remove(_ link: LinkID) {
    remove(scopeOf: link)
    remove(memberOf: link)
  }

  private mutating func remove(memberOf link: LinkID) {
    guard let member = members.removeValue(forKey: link), let count = counts[member] else { return }
    counts[member] = count > 1 ? count - 1 : nil
  }

  private mutating func remove(scopeOf link: LinkID) {
    switch scopes.removeValue(forKey: link) {
    case .library: Self.remove(link, from: &wide)
    case .palettes(let palettes):
      for palette in palettes {
        guard narrow[palette] != nil else { continue }
        Self.remove(link, from: &narrow[palette, default: []])
        if narrow[palette]?.isEmpty == true { narrow[palette] = nil }
      }
    case nil: break
    }
  }

  private static func remove(_ link: LinkID, from links: inout [LinkID]) {
    let position = position(of: link, in: links)
    if position < links.count, links[position] == link { links.remove(at: position) }
  }

  /// Where a connection is among others, or belongs.
  private static func position(of link: LinkID, in links: [LinkID]) -> Int {
    // Mostly it is the newest.
    if let last = links.last, last.rawValue < link.rawValue { return links.count }
    var low = 0
    var high = links.count
    while low < high {
      let middle = (low + high) / 2
      if links[middle].rawValue < link.rawValue { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
