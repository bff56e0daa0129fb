internal import PaletteModel

/// The group of a file in which each color of a palette is to stand.
struct Placement {
  /// The beginning of the names in the group of each color, among the groups that are there.
  let homes: [String]
  /// The beginning of the names in a group that is to be opened for a color.
  private(set) var opened: [Int: String] = [:]
  /// The colors that stay in the order and in the groups of their entries.
  let stays: Set<Int>
  /// The entry that each color is.
  let pairs: [Int?]

  /// The beginnings of the names in all groups in which, or in a group of which, an entry is.
  private(set) var filled: Set<String> = []
  /// The colors of each group that is opened, in order.
  private(set) var groups: [String: [Int]] = [:]
  /// The names of the colors, whose parts are spelled as keys where groups are objects.
  private(set) var names: [String] = []
  /// The paths of all groups that are opened.
  private(set) var newPaths: Set<String> = []

  /// The most groups around each other that a name makes.
  private static let depthLimit = 8

  /// Finds the groups for colors.
  ///
  /// - Parameters:
  ///   - goal: The colors.
  ///   - contents: The file.
  ///   - pairs: The entry that each color is.
  init(
    of goal: PatchGoal,
    in contents: FileContents,
    _ pairs: [Int?]
  ) {
    let entries = contents.entries
    let groups = GroupPrefixes(
      entries.compactMap { $0.place?.prefix } + Array(contents.groupPlaces.keys)
    )
    let nested = entries.lazy.compactMap(\.place).first(where: \.isMember)
    names = goal.wanted.map { nested?.spelled($0.name ?? "") ?? $0.name ?? "" }
    // No group gets a key that a color has, or will have.
    let keys =
      nested == nil ? [] : contents.taken.union(entries.compactMap(\.name)).union(names)
    var (homes, anchors) = ([String](), pairs)
    for index in goal.colors.indices {
      let name = names[index]
      var home = groups.home(of: name)
      let rest = nested == nil ? nil : Self.group(of: name, behind: home, besides: keys)
      if let entry = pairs[index].map({ entries[$0] }), let place = entry.place {
        if !place.isMember || place.hasFixedKey || goal.holdsName(entry, at: index)
          || Self.isBeside(name, entry.name ?? "", place, groups)
        {
          home = place.prefix
        } else if home != place.prefix || rest != nil {
          anchors[index] = nil
        }
      }
      if anchors[index] == nil, groups.home(of: name) == home, let rest {
        opened[index] = home + rest
        self.groups[home + rest, default: []].append(index)
        newPaths.formUnion(Self.paths(of: name, behind: home))
      }
      homes.append(home)
    }
    for entry in entries {
      guard var prefix = entry.place?.prefix[...], !contents.groupPlaces.isEmpty else { break }
      while !prefix.isEmpty, filled.insert(String(prefix)).inserted {
        prefix = prefix.dropLast()[...(prefix.dropLast().lastIndex(of: "/") ?? prefix.startIndex)]
        if prefix.last != "/" { prefix = "" }
      }
    }
    self.homes = homes
    self.pairs = pairs
    stays = anchors.longestAscending
  }

  /// Returns whether an entry whose key has the name of a group in it goes on having such a key.
  private static func isBeside(
    _ name: String,
    _ old: String,
    _ place: EntryPlace,
    _ groups: GroupPrefixes
  ) -> Bool {
    guard let key = old.droppingBytes(place.prefix), key.contains("/"),
      let new = name.droppingBytes(place.prefix)
    else { return false }
    return new.contains("/") && groups.home(of: old) == groups.home(of: name)
  }

  /// The first group of the rest of a name, if that is a path.
  private static func group(
    of name: String,
    behind home: String,
    besides keys: Set<String>
  ) -> String? {
    let rest = name.droppingBytes(home) ?? name
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts.count <= depthLimit, let first = parts.first,
      parts.allSatisfy({ !$0.isEmpty && $0.hasSameBytes(as: $0.trimmed) }),
      keys.isDisjoint(with: paths(of: name, behind: home)),
      NameTree.reservedInScripts.isDisjoint(with: parts)
    else { return nil }
    return first + "/"
  }

  /// The paths of the groups that a name says within another group.
  private static func paths(of name: String, behind home: String) -> [String] {
    name.indices.lazy.filter { name[$0] == "/" }.map { String(name[..<$0]) }
      .filter { $0.utf8.count >= home.utf8.count }
  }
}

extension EntryPlace {
  /// A name whose parts are spelled as keys beside this one.
  fileprivate func spelled(_ name: String) -> String {
    for slot in slots {
      guard case .key(let quoting, _) = slot.meaning else { continue }
      return quoting.path(name)
    }
    return name
  }
}
