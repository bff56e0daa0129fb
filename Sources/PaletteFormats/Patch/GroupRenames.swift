internal import PaletteModel

/// The groups of a file all of whose colors have new names that differ in the group's alone.
struct GroupRenames {
  /// A group with its new name.
  private struct Renamed {
    let key: Range<Int>
    let depth: Int
    let path: [String]
    let name: String
    let members: Set<Int>
  }

  private let contents: FileContents
  /// The names that the entries are to have, as far as they stay.
  private var names: [Int: [String]] = [:]

  /// Compares the names of the entries with those of the colors that they are.
  init(_ goal: PatchGoal, _ contents: FileContents, _ pairs: [Int?]) {
    self.contents = contents
    guard !contents.groupPlaces.isEmpty else { return }
    for (index, entry) in pairs.enumerated() {
      guard let entry else { continue }
      let old = contents.entries[entry]
      // A whole file cannot say all names that this one does.
      let name = goal.holdsName(old, at: index) ? old.name : goal.wanted[index].name
      names[entry] = (name ?? "").split(separator: "/").map(String.init)
    }
  }

  /// The file with the groups and whatever refers to them renamed; nil where no group is.
  func applied(to bytes: [UInt8], as format: any FileFormat) -> [UInt8]? {
    guard let encoding = TextEncoding(of: bytes) else { return nil }
    let groups = renamedGroups()
    guard !groups.isEmpty else { return nil }
    let references = format.references(in: encoding.text, to: contents.entries)
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    for group in groups {
      guard let key = key(of: group, in: encoding.text) else { return nil }
      changes.append(key)
      for reference in references where !group.members.isDisjoint(with: reference.targets) {
        guard let range = range(of: group, in: reference, of: encoding.text) else { continue }
        guard let name = reference.name(of: group.name) else { return nil }
        changes.append((range, Array(name.utf8)))
      }
      changes += extensions(of: group, in: encoding.text)
    }
    let text = TextChanges(changes).copy(0..<encoding.text.count, of: encoding.text)
    return format.file(bytes, holding: encoding.encoded(text))
  }

  /// The groups that are renamed, none within another.
  private func renamedGroups() -> [Renamed] {
    var found: [Renamed] = []
    for (prefix, range) in contents.groupPlaces.sorted(by: { $0.key < $1.key }) {
      let path = prefix.split(separator: "/").map(String.init)
      guard !found.contains(where: { path.starts(with: $0.path) }),
        let group = renamed(path, range)
      else { continue }
      found.append(group)
    }
    return found
  }

  private func renamed(_ path: [String], _ range: Range<Int>) -> Renamed? {
    let depth = path.count - 1
    let members = contents.entries.indices.filter { index in
      contents.entries[index].place.map {
        !$0.isInherited && range.contains($0.range.upperBound - 1) && $0.isMember
      } ?? false
    }
    var name: String?
    for member in members {
      guard let new = names[member] else { continue }
      let old = (contents.entries[member].name ?? "").split(separator: "/").map(String.init)
      guard old.starts(with: path), new.count == old.count, new[..<depth] == old[..<depth],
        new[depth] != old[depth], name.map({ $0 == new[depth] }) ?? true,
        old.count == path.count || new[(depth + 1)...].dropLast() == old[(depth + 1)...].dropLast()
      else { return nil }
      name = new[depth]
    }
    guard let name, !name.isEmpty else { return nil }
    let whole = path.joined(separator: "/")
    let other = (path.dropLast() + [name]).joined(separator: "/")
    let isFree =
      !contents.taken.contains(other) && contents.groupPlaces[other + "/"] == nil
      && !contents.entries.contains { $0.name == other && !members.contains(where: isGroups) }
    // What is no color of the palette stays in the group.
    let isWhole = contents.taken.allSatisfy { path in
      !path.utf8.starts(with: (whole + "/").utf8) || contents.groupPlaces[path + "/"] != nil
    }
    guard isFree, isWhole else { return nil }
    return Renamed(key: range, depth: depth, path: path, name: name, members: Set(members))
  }

  /// Returns whether an entry is the color of a group itself.
  private func isGroups(_ index: Int) -> Bool {
    contents.entries[index].place?.hasFixedKey ?? false
  }

  /// The new key of a group, in the quotes of the old one.
  private func key(of group: Renamed, in text: [UInt8]) -> (Range<Int>, [UInt8])? {
    let quote = text[group.key.lowerBound]
    let slot = group.members.lazy.flatMap { contents.entries[$0].place?.slots ?? [] }.first {
      if case .key = $0.meaning { true } else { false }
    }
    guard case .key(let quoting, _) = slot?.meaning else { return nil }
    guard [UInt8]("\"'`".utf8).contains(quote) else {
      let end = text[group.key].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
      let key = Quoting.key(hasDashes: false).quoted(group.name)
      return end.map { (group.key.lowerBound..<$0, Array(key.utf8)) }
    }
    var end = group.key.lowerBound + 1
    while end < text.count, text[end] != quote {
      end += text[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let inner = quoting == .json ? quoting : .quotes(quote)
    let key = inner.quoted(inner.key(group.name))
    return ((group.key.lowerBound + 1)..<end, Array(key.utf8))
  }

  /// The part of a reference that names a group.
  private func range(
    of group: Renamed,
    in reference: FileReference,
    of text: [UInt8]
  ) -> Range<Int>? {
    guard let target = reference.targets.first(where: group.members.contains),
      let entry = contents.entries[target].place
    else { return nil }
    var depth = entry.prefix.split(separator: "/").count
    // A script names the color of a group itself as the group, or by the key that it has there.
    if isGroups(target), reference.spelling == .part,
      !entry.slots.contains(where: { text[$0.range].elementsEqual(text[reference.name]) })
    {
      depth -= 1
    }
    let place = group.depth - depth + reference.groups.count
    if reference.groups.indices.contains(place) { return reference.groups[place] }
    return place == reference.groups.count ? reference.name : nil
  }

  /// The changes of what extends a group.
  private func extensions(
    of group: Renamed,
    in text: [UInt8]
  ) -> [(range: Range<Int>, text: [UInt8])] {
    guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return [] }
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    func find(_ node: JSONOutline) {
      for member in node.members {
        find(member.value)
        guard text[member.key.inner].elementsEqual("$extends".utf8), !member.value.range.isEmpty
        else { continue }
        let value = member.value.value(of: "$ref", in: text)?.range ?? member.value.range
        let isPointer = text[value.inner].starts(with: "#/".utf8)
        let marks = isPointer ? "#/" : "{}. "
        let parts = text[value.inner].split { marks.utf8.contains($0) }
        let names = parts.map { Quoting.json.plain(String(decoding: $0, as: UTF8.self)) }
        guard names.starts(with: group.path) else { continue }
        let new = Quoting.json.quoted(Quoting.json.key(group.name))
        changes.append((parts[group.depth].indices, Array(new.utf8)))
      }
    }
    find(JSONOutline(of: text))
    return changes
  }
}
