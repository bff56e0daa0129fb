internal import PaletteModel

/// The state that the entries of a file are to have.
struct PatchGoal {
  /// The colors of the palette.
  private(set) var colors: [NamedColor]
  /// The entries as a file that is written whole would have them.
  private(set) var wanted: [FileEntry]
  /// The entries as they are now that may follow others, by their colors.
  var following: [RecordID: FileEntry] = [:]
  /// The title that the file is to have; nil for its own.
  var title: String?

  /// For each color of the palette the entry that it is in the file.
  func pairs(of entries: [FileEntry], ids: [RecordID?]) -> [Int?] {
    var pairs = [Int?](repeating: nil, count: colors.count)
    if ids.count == entries.count {
      var indexes: [RecordID: Int] = [:]
      for (index, id) in ids.enumerated() { if let id { indexes[id] = index } }
      for (index, color) in colors.enumerated() { pairs[index] = indexes[color.id] }
    } else {
      let pairing = ImportPairing(of: entries, with: colors, asWritten: wanted)
      for (entry, color) in pairing.colorIndexes.enumerated() {
        if let color { pairs[color] = entry }
      }
    }
    return pairs
  }

  /// For each color the entry that has its name, where all have names of their own; else the one in its place.
  ///
  /// Of a file that has another order than the palette nothing but the names says which entry is which color, and
  /// whatever else is in an entry belongs to that.
  func pairs(ofNamed entries: [FileEntry]) -> [Int?] {
    var indexes: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if let name = entry.name { indexes[name] = index }
    }
    let named = colors.indices.compactMap { indexes[wanted[$0].name ?? colors[$0].name] }
    return named.count == entries.count && Set(named).count == entries.count
      ? named : Array(colors.indices)
  }

  /// The same in the order, and with the keys, that the form of a file allows.
  ///
  /// A color that a file with fixed keys does not have is left out, and one that only it has stays. Groups follow
  /// each other, and what is in none is first.
  func fitting(_ contents: FileContents, ids: [RecordID?]) -> PatchGoal {
    if contents.hasFixedKeys { return keeping(contents.entries, ids: ids) }
    guard !contents.groups.isEmpty else { return inFirstRule(of: contents.entries, ids: ids) }
    let groups = GroupPrefixes(contents.groups)
    let ranks = wanted.map { entry in
      let home = groups.home(of: entry.name ?? "")
      return contents.groups.firstIndex { !home.isEmpty && $0.hasSameBytes(as: home) }
        .map { $0 + 1 } ?? 0
    }
    let order = colors.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    return reordered(order)
  }

  /// The same with each new color in the first rule of a stylesheet, unless both of its neighbors are in another.
  ///
  /// Later rules say what is different somewhere, as `@media (prefers-color-scheme: dark)` does.
  private func inFirstRule(of entries: [FileEntry], ids: [RecordID?]) -> PatchGoal {
    let rules = entries.map { $0.place?.rule }
    guard let first = rules.first, first != nil, rules.contains(where: { $0 != first }) else {
      return self
    }
    let pairs = pairs(of: entries, ids: ids)
    let known = pairs.map { $0.map { rules[$0] ?? -1 } }
    guard let end = known.lastIndex(of: first) else { return self }
    var (order, moved): ([Int], [Int]) = ([], [])
    var before: Int?
    for index in colors.indices {
      if let rule = known[index] { before = rule }
      let next = known[index...].first { $0 != nil } ?? nil
      if known[index] == nil, index > end, before != first, next != before {
        moved.append(index)
      } else {
        order.append(index)
      }
    }
    guard !moved.isEmpty, let place = order.firstIndex(of: end) else { return self }
    order.insert(contentsOf: moved, at: place + 1)
    return reordered(order)
  }

  private func keeping(_ entries: [FileEntry], ids: [RecordID?]) -> PatchGoal {
    var indexes = [Int?](repeating: nil, count: entries.count)
    for (color, entry) in pairs(of: entries, ids: ids).enumerated() {
      if let entry { indexes[entry] = color }
    }
    var kept = PatchGoal(colors: [], wanted: [], following: following, title: title)
    for (number, (entry, index)) in zip(entries, indexes).enumerated() {
      var named = NamedColor(
        id: (number < ids.count ? ids[number] : nil) ?? RecordID(high: 0, low: UInt64(number)),
        name: entry.name ?? "",
        color: entry.color,
        note: entry.note ?? ""
      )
      var goal = entry
      goal.place = nil
      if let index {
        named = NamedColor(
          id: colors[index].id,
          name: named.name,
          color: colors[index].color,
          note: named.note
        )
        goal.color = wanted[index].color
      }
      kept.colors.append(named)
      kept.wanted.append(goal)
    }
    return kept
  }

  /// Returns whether an entry stands for another one and may have that one's color: nobody gave it its own.
  func follows(_ entry: FileEntry, at index: Int) -> Bool {
    entry.isReference && following[colors[index].id].map { holdsColor($0, at: index) } ?? false
  }

  /// Returns whether an entry says the color that is wanted at an index.
  func holdsColor(_ entry: FileEntry, at index: Int) -> Bool {
    let (color, own) = (wanted[index].color, colors[index].color)
    if entry.color == color || entry.color == own { return true }
    return entry.isRounded && entry.color.hex == color.hex
  }

  /// Returns whether an entry says as much of the name that is wanted at an index as a key can.
  ///
  /// Keys leave out marks, and of two that are alike one has a number behind it.
  func spellsName(_ entry: FileEntry, at index: Int) -> Bool {
    guard !holdsName(entry, at: index), let own = entry.name else { return true }
    func letters(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let (found, name) = (letters(own), letters(colors[index].name))
    guard !name.isEmpty else { return true }
    // A word that would begin with a digit begins with another word.
    return [found, found.replacing("color", with: "", maxReplacements: 1)].contains { spelling in
      spelling.hasPrefix(name) && spelling.dropFirst(name.count).allSatisfy(\.isNumber)
    }
  }

  /// Returns whether an entry says the name that is wanted at an index.
  ///
  /// A name that is only the color in hexadecimal needs none in the file.
  func holdsName(_ entry: FileEntry, at index: Int) -> Bool {
    let name = colors[index].name
    guard let own = entry.name else {
      return wanted[index].name == nil || name.isEmpty
        || (name.hasPrefix("#") && Color(hex: name.dropFirst()) != nil)
    }
    return own.hasSameBytes(as: name) || own == wanted[index].name || entry.stands(for: name)
  }

  /// Returns whether an entry says the note that is wanted at an index.
  func holdsNote(_ entry: FileEntry, at index: Int) -> Bool {
    (entry.note ?? "").hasSameBytes(as: wanted[index].note ?? "")
  }

  /// The first thing that entries do not say of the palette; nil where they say all that they can.
  func problem(with entries: [FileEntry]) -> PatchProblem? {
    guard entries.count == wanted.count else { return .form }
    for (index, entry) in entries.enumerated() {
      if entry.color.hex != wanted[index].color.hex, !follows(entry, at: index) {
        return .color(colors[index].name)
      }
      if !spellsName(entry, at: index) { return .name(colors[index].name) }
    }
    return nil
  }

  /// Returns whether entries are the colors of the palette in their order, as far as anybody can
  /// see.
  func isShown(by entries: [FileEntry]) -> Bool {
    entries.count == wanted.count
      && zip(entries, wanted).allSatisfy { $0.color.hex == $1.color.hex }
  }

  /// The number of colors that have other names in a file, as its format spells them, or are outside of the group
  /// that their names begin with.
  func misplaced(in entries: [FileEntry], _ groups: GroupPrefixes) -> Int {
    zip(colors.indices, entries).count { index, entry in
      let home = groups.home(of: wanted[index].name ?? "", mayBeWhole: true)
      return !holdsName(entry, at: index)
        || home.utf8.count > (entry.place?.prefix ?? "").utf8.count
    }
  }

  /// The same in the order of a file, where each new color follows the one that it follows in the palette.
  func inOrder(of pairs: [Int?]) -> PatchGoal {
    let paired = colors.indices.filter { pairs[$0] != nil }
      .sorted { (pairs[$0] ?? 0) < (pairs[$1] ?? 0) }
    var (leading, following, last): ([Int], [Int: [Int]], Int?) = ([], [:], nil)
    for index in colors.indices {
      if pairs[index] != nil {
        last = index
      } else if let last {
        following[last, default: []].append(index)
      } else {
        leading.append(index)
      }
    }
    return reordered(leading + paired.flatMap { [$0] + (following[$0] ?? []) })
  }

  private func reordered(_ order: [Int]) -> PatchGoal {
    var goal = self
    goal.colors = order.map { colors[$0] }
    goal.wanted = order.map { wanted[$0] }
    return goal
  }

  /// The same with each color that has no place in the order beside those of its group; nil where that is the
  /// order already, and where the file has no groups.
  func grouped(like contents: FileContents, _ pairs: [Int?]) -> PatchGoal? {
    let entries = contents.entries
    guard
      entries.contains(where: { $0.place.map { !$0.prefix.isEmpty } ?? false })
        || !contents.groupPlaces.isEmpty
    else { return nil }
    let placement = Placement(of: self, in: contents, pairs)
    let stays = placement.stays
    let homes = placement.homes
    var first: [String: Int] = [:]
    for index in stays.sorted(by: >) { first[homes[index]] = index }
    // What has no group of its own is behind the group that is before it.
    var ends: [String: Int] = [:]
    for index in stays.sorted() { ends[homes[index]] = index }
    var last: [String: Int] = [:]
    var (before, after): ([Int: [Int]], [Int: [Int]]) = ([:], [:])
    var leading: [Int] = []
    var anchor: Int?
    for index in colors.indices {
      if let group = placement.opened[index], placement.groups[group]?.first != index { continue }
      // Those of a group that is opened follow each other.
      let members = placement.opened[index].flatMap { placement.groups[$0] } ?? [index]
      if stays.contains(index) {
        last[homes[index]] = index
        anchor = index
      } else if let other = last[homes[index]] {
        after[other, default: []] += members
      } else if let other = first[homes[index]] {
        before[other, default: []] += members
      } else if let place = contents.groupPlaces[homes[index]]?.upperBound {
        // A group without a color of its own.
        let other = stays.sorted().last { stay in
          pairs[stay].flatMap { entries[$0].place }.map { $0.range.lowerBound < place } ?? false
        }
        if let other { after[other, default: []] += members } else { leading += members }
      } else if let anchor, let other = ends[homes[anchor]] {
        after[other, default: []] += members
      } else {
        leading += members
      }
    }
    let order = leading + stays.sorted().flatMap { (before[$0] ?? []) + [$0] + (after[$0] ?? []) }
    guard order != Array(colors.indices) else { return nil }
    return reordered(order)
  }
}

extension [Int?] {
  /// The indexes of most of the numbers that ascend.
  var longestAscending: Set<Int> {
    let paired = indices.filter { self[$0] != nil }
    let part = IncreasingSubsequence(of: paired.map { Int32(clamping: self[$0] ?? 0) })
    return Set(zip(paired, part.contains).filter(\.1).map(\.0))
  }
}
