internal import PaletteModel

/// Writes the texts of colors that stay, move or are new, with the identifiers that are free.
struct UnitWriter {
  /// The new names of entries that were there before, by their numbers.
  private(set) var spelled: [Int: NewName] = [:]
  /// All identifiers so far.
  private var names: Set<String>
  private let text: [UInt8]
  private let entries: [FileEntry]
  private let places: [EntryPlace]
  private let goal: PatchGoal
  private let placement: Placement
  private let changes: TextChanges
  private let references: TextPatch.References
  private let lineEnd: [UInt8]
  private let format: any FileFormat

  /// Begins with the identifiers of a text.
  init(
    _ text: [UInt8],
    _ contents: FileContents,
    _ goal: PatchGoal,
    _ placement: Placement,
    _ changes: TextChanges,
    _ references: TextPatch.References,
    lineEnd: [UInt8],
    _ format: any FileFormat
  ) {
    self.text = text
    entries = contents.entries
    places = contents.entries.compactMap(\.place)
    self.goal = goal
    self.placement = placement
    self.changes = changes
    self.references = references
    self.lineEnd = lineEnd
    self.format = format
    names = contents.taken.union(places.map { Self.identifier($0, in: text) })
      .union(placement.newPaths)
  }

  /// The entry that a color is and whose text it keeps beside another one, if there is such.
  func entry(thatStays index: Int, like neighbor: EntryPlace) -> Int? {
    guard let entry = placement.pairs[index], placement.opened[index] == nil,
      placement.homes[index] == places[entry].prefix,
      (places[entry].lineEnd == nil) == (neighbor.lineEnd == nil)
    else { return nil }
    return entry
  }

  /// The entry whose form a new one beside another takes.
  func template(beside neighbor: Int) -> EntryPlace {
    let place = places[neighbor]
    return place.isInherited ? places.first { !$0.isInherited } ?? place : place
  }

  /// The text of a color that comes to stand in another place, without the space before it; with all others in its
  /// group where that is to be opened.
  mutating func unit(
    _ index: Int,
    like template: EntryPlace?,
    indent: [UInt8],
    isSeparated: Bool
  ) -> [UInt8] {
    guard let template else { return declaration(of: index) }
    if let group = placement.opened[index] {
      return opened(
        group,
        placement.groups[group] ?? [index],
        like: template,
        indent: indent,
      )
    }
    return member(
      index,
      in: template.isMember ? placement.homes[index] : template.prefix,
      like: template,
      indent: indent,
      isSeparated: isSeparated
    )
  }

  /// The text of a color in a group: its own where it has one that fits, else like that of another entry.
  private mutating func member(
    _ index: Int,
    in prefix: String,
    like template: EntryPlace,
    indent: [UInt8],
    isSeparated: Bool
  ) -> [UInt8] {
    let own = placement.pairs[index]
    if let own { names.remove(Self.identifier(places[own], in: text)) }
    let source = own.flatMap { own in
      if places[own].isMember { return own }
      let isLike = (places[own].lineEnd == nil) == (template.lineEnd == nil)
      return isLike && places[own].prefix == prefix ? own : nil
    }
    var place = source.map { places[$0] } ?? template
    place.prefix = prefix
    var unit = rendered(
      place,
      as: index,
      entry: source,
      isSeparated: isSeparated
    )
    guard format.isText, template.isMember else { return unit }
    if template.lineEnd == nil { unit = withoutLineComment(unit, of: place) }
    let old = Indentation(text: text).of(place.range.lowerBound)
    return Indentation.core(of: unit, from: old, to: template.lineEnd == nil ? old : indent)
  }

  /// The text of an entry whose comment has an end, so that more can follow on its line.
  private func withoutLineComment(_ unit: [UInt8], of place: EntryPlace) -> [UInt8] {
    guard let slot = place.slots.last, slot.meaning == .own, !slot.range.isEmpty,
      slot.range.upperBound == place.range.upperBound,
      unit.suffix(slot.range.count).elementsEqual(text[slot.range])
    else { return unit }
    let comment = String(decoding: text[slot.range], as: UTF8.self).trimmed
    guard comment.hasPrefix("//") else { return unit }
    let words = Quoting.comment.quoted(String(comment.dropFirst(2)).trimmed)
    return unit.dropLast(slot.range.count) + Array((" " + words).utf8)
  }

  /// The text of a group with colors, as one member of the object around it.
  private mutating func opened(
    _ prefix: String,
    _ members: [Int],
    like template: EntryPlace,
    indent: [UInt8]
  ) -> [UInt8] {
    let isLine = template.lineEnd != nil
    let inner = indent + (isLine ? Indentation(text: text).step(of: places) : [])
    var groups: [(prefix: String, members: [Int])] = []
    for index in members {
      let rest = placement.names[index].droppingBytes(prefix) ?? ""
      let parts = rest.split(separator: "/")
      let group = parts.count > 1 ? prefix + parts[0] + "/" : ""
      if let place = groups.firstIndex(where: { !group.isEmpty && $0.prefix == group }) {
        groups[place].members.append(index)
      } else {
        groups.append((group, [index]))
      }
    }
    var result = key(of: prefix, like: template) + Array(": {".utf8)
    for group in groups {
      result += isLine ? lineEnd + inner : [0x20]
      if group.prefix.isEmpty, let index = group.members.first {
        result += member(
          index,
          in: prefix,
          like: template,
          indent: inner,
          isSeparated: true
        )
      } else {
        result += opened(
          group.prefix,
          group.members,
          like: template,
          indent: inner,
        )
      }
    }
    return result + (isLine ? lineEnd + indent : [0x20]) + Array("},".utf8)
  }

  /// The key of a group, in quotes as that of an entry.
  private func key(of prefix: String, like template: EntryPlace) -> [UInt8] {
    let name = prefix.split(separator: "/").last.map(String.init) ?? ""
    for slot in template.slots {
      guard case .key(let quoting, _) = slot.meaning else { continue }
      let mark = text[..<slot.range.lowerBound].suffix(1)
      let quotes = [UInt8]("\"'`".utf8).contains(mark.first ?? 0) ? Array(mark) : []
      return quotes + Array(quoting.quoted(quoting.key(name)).utf8) + quotes
    }
    return []
  }

  /// The text of a color outside of all groups, where no entry shows one.
  private mutating func declaration(of index: Int) -> [UInt8] {
    let sheet = PaletteSheet(
      id: PaletteID(RecordID(high: 0, low: 0)),
      name: "",
      digest: "",
      colors: [goal.colors[index]]
    )
    guard let block = format.block(of: sheet, besides: names),
      let entry = try? format.read(block).entries.first, let place = entry.place
    else { return [] }
    for slot in place.slots where slot.meaning.isIdentifier {
      names.insert(String(decoding: block[slot.range], as: UTF8.self))
    }
    return Array(block[place.range].drop { $0 == 0x20 })
  }

  /// The text of an entry, changed as far as it does not say what is wanted; all of it for a new one.
  mutating func rendered(
    _ place: EntryPlace,
    as index: Int,
    entry number: Int?,
    isSeparated: Bool
  ) -> [UInt8] {
    let entry = number.map { entries[$0] }
    let isNew = entry == nil
    let isElsewhere = number.map { places[$0].prefix != place.prefix } ?? false
    let color =
      entry.map { !goal.holdsColor($0, at: index) && !goal.follows($0, at: index) } ?? true
    let name = entry.map { !goal.holdsName($0, at: index) } ?? true
    let note = entry.map { !goal.holdsNote($0, at: index) } ?? true
    var writer = SlotWriter(
      color: goal.colors[index],
      wanted: goal.wanted[index],
      prefix: place.prefix,
      names: names
    )
    var unit: [UInt8] = []
    var cursor = place.range.lowerBound
    var slots = place.slots
    if isSeparated, let separator = place.separator, separator.range.isEmpty {
      let next = slots.firstIndex { $0.range.lowerBound >= separator.range.lowerBound }
      let slot = EntrySlot(range: separator.range, meaning: .separator(separator.byte))
      slots.insert(slot, at: next ?? slots.count)
    }
    for slot in slots {
      let old = String(decoding: text[slot.range], as: UTF8.self)
      let isTouched =
        switch slot.meaning {
        case .color, .alphaFirstDigits, .channel, .ink, .inks, .labPart, .tokenValue, .tokenText,
          .hex:
          color
        case .inherited: false
        case .reference, .tokenReference:
          isNew || references == .all || (color && references == .wrong)
        case .name, .identifier: name
        case .key(_, let isFixed): isNew || ((name || isElsewhere) && !isFixed)
        case .needed(let group, _): !place.prefix.utf8.starts(with: group.utf8)
        case .comment(let isOwn, _): isNew || (name && !isOwn)
        case .note, .noteMember, .missingNote: note || (isNew && slot.meaning != .missingNote)
        case .missingExtension: name || color
        case .id, .own: isNew
        case .unit: isNew || color || name || note
        case .separator: true
        }
      guard isTouched else { continue }
      unit += changes.copy(cursor..<slot.range.lowerBound, of: text)
      if slot.meaning == .unit {
        let wanted = UnitGoal(
          color: goal.colors[index],
          wanted: goal.wanted[index],
          prefix: place.prefix,
          isNew: isNew,
          changesColor: color,
          changesName: name
        )
        unit += format.unit(wanted, like: Array(text[slot.range]))
      } else {
        let new = writer.text(slot.meaning, like: old, isNew: isNew || isElsewhere)
        if let number, slot.meaning.isIdentifier, let key = writer.identifier {
          spelled[number] = NewName(prefix: place.prefix, key: key)
        }
        unit += Array(new.utf8)
      }
      cursor = slot.range.upperBound
    }
    names = writer.names
    return unit + changes.copy(cursor..<place.range.upperBound, of: text)
  }

  private static func identifier(_ place: EntryPlace, in text: [UInt8]) -> String {
    for slot in place.slots {
      let old = String(decoding: text[slot.range], as: UTF8.self)
      if case .identifier = slot.meaning { return old }
      if case .key(let quoting, _) = slot.meaning { return place.prefix + quoting.plain(old) }
    }
    return ""
  }
}

/// The new name of an entry, by which references are to call it.
struct NewName: Hashable {
  /// The beginning of the names in its group.
  let prefix: String
  /// The key.
  let key: String
}
