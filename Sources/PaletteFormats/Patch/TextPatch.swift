internal import PaletteModel

/// One round of changes to a text file: units that stay, go, move or are new, between text that stays.
struct TextPatch {
  private let format: any FileFormat
  private let file: [UInt8]
  private let encoding: TextEncoding
  /// The entries of the file.
  let entries: [FileEntry]
  private let places: [EntryPlace]
  private let edges: GroupEdges
  private let contents: FileContents
  private let goal: PatchGoal
  private let references: References

  /// The text that is changed, in UTF-8.
  var text: [UInt8] { encoding.text }

  /// The choice of entries that get a color of their own although they stand for others.
  enum References {
    case none
    /// Those that are to have another color.
    case wrong
    case all
  }

  /// Nil where the places of the entries are not known.
  init?(
    _ bytes: [UInt8],
    _ contents: FileContents,
    _ goal: PatchGoal,
    _ references: References,
    _ format: any FileFormat
  ) {
    let places = contents.entries.compactMap(\.place)
    let encoding =
      format.isText
      ? TextEncoding(of: bytes) : format.text(of: bytes).map(TextEncoding.init(raw:))
    guard let encoding, places.count == contents.entries.count,
      !places.isEmpty, places.allSatisfy({ $0.end <= encoding.text.count }),
      zip(places, places.dropFirst()).allSatisfy({ $0.end <= $1.range.lowerBound })
    else { return nil }
    self.encoding = encoding
    self.places = places
    edges = GroupEdges(
      places: places,
      text: encoding.text,
      lineEnd: encoding.lineEnd,
      isText: format.isText
    )
    self.format = format
    file = bytes
    entries = contents.entries
    self.contents = contents
    self.goal = goal
    self.references = references
  }

  /// The file after the changes; `pairs` names for each color the entry that it is.
  func applied(_ pairs: [Int?]) -> [UInt8] {
    let own = ownChanges
    var (bytes, spelled) = composed(pairs, TextChanges(own))
    let kept = Set(pairs.compactMap(\.self))
    if !spelled.isEmpty || kept.count < entries.count {
      // The keys are known now that references are to name.
      let references = format.references(in: text, to: entries)
      let changes = TextChanges(own + changes(of: references, spelled: spelled, kept: kept))
      bytes = composed(pairs, changes).bytes
    }
    return format.file(file, holding: encoding.encoded(format.tidied(bytes)))
  }

  /// The changes of the numbers that count the entries, and of the title.
  private var ownChanges: [(range: Range<Int>, text: [UInt8])] {
    let difference = goal.colors.count - entries.count
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    for count in contents.counts where difference != 0 {
      // A file may claim any number.
      guard let old = Int(String(decoding: text[count], as: UTF8.self)),
        case (let new, let isOver) = old.addingReportingOverflow(difference), !isOver
      else { continue }
      changes.append((count, Array(String(max(0, new)).utf8)))
    }
    if let title = goal.title, let place = contents.titlePlace {
      changes.append((place.range, Array(place.quoting.quoted(title).utf8)))
    }
    return changes
  }

  /// The text after the changes, without what its grammar wants besides, and the new keys of the entries
  /// that got some.
  private func composed(
    _ pairs: [Int?],
    _ changes: TextChanges
  ) -> (bytes: [UInt8], spelled: [Int: String]) {
    var names = Names(contents.taken.union(places.map(identifier)))
    let stays = pairs.longestAscending
    var before = [[Int]](repeating: [], count: places.count)
    var after = before
    var colorOf = [Int?](repeating: nil, count: places.count)
    var last: Int?
    let kept = goal.colors.indices.filter { stays.contains($0) }
    var nextKept = 0
    var leads = false
    var beside: [Int: [(index: Int, gap: GroupEdges.Gap)]] = [:]
    for index in goal.colors.indices {
      if stays.contains(index), let entry = pairs[index] {
        colorOf[entry] = index
        (last, leads) = (entry, false)
        nextKept += 1
        continue
      }
      let next = nextKept < kept.count ? pairs[kept[nextKept]] : nil
      let name = goal.wanted[index].name ?? ""
      if let gap = edges.gap(for: name, last, next, own: pairs[index]) {
        beside[gap.offset, default: []].append((index, gap))
        continue
      }
      // Of two groups that it may be in, the inner one; what is in none fits everywhere.
      let depths = [last, next].map { neighbor -> Int in
        guard let prefix = neighbor.map({ places[$0].prefix }), GroupEdges.fits(name, prefix) else {
          return -1
        }
        return prefix.utf8.count
      }
      if let next, leads || last == nil || depths[1] > depths[0] {
        leads = true
        before[next].append(index)
      } else {
        after[last ?? 0].append(index)
      }
    }
    var output = TextOutput(lineEnd: encoding.lineEnd)
    var cursor = 0
    // Text between entries, with what is added beside the groups that end or begin in it.
    func between(_ range: Range<Int>) {
      var start = range.lowerBound
      for offset in beside.keys.sorted()
      where offset > range.lowerBound && offset <= range.upperBound {
        output.append(changes.copy(start..<offset, of: text))
        for (index, gap) in beside[offset] ?? [] {
          if gap.entry == nil, let own = pairs[index] {
            names.taken.remove(identifier(places[own]))
          }
          add(index, gap, to: &output, &names, changes)
        }
        start = offset
      }
      output.append(changes.copy(start..<range.upperBound, of: text))
    }
    for (entry, place) in places.enumerated() {
      between(cursor..<place.range.lowerBound)
      for index in before[entry] {
        add(index, pairs, beside: entry, to: &output, &names, changes, isSeparated: true)
      }
      // Without a single entry that stays, the new ones take the place of the first.
      let isKept = colorOf[entry] != nil
      if let index = colorOf[entry] {
        let isInner = !after[entry].isEmpty
        output.append(
          rendered(place, as: index, entry: entry, &names, changes, isSeparated: isInner),
          place
        )
      } else if format.isText, after[entry].isEmpty {
        output.leaveOut(text[place.range], place)
      }
      let needsSeparator = !isKept || hasSeparator(place)
      for (step, index) in after[entry].enumerated() {
        let isInner = step + 1 < after[entry].count
        let isSeparated = needsSeparator || isInner
        add(
          index,
          pairs,
          beside: entry,
          to: &output,
          &names,
          changes,
          isSeparated: isSeparated
        )
      }
      cursor = place.end
    }
    between(cursor..<text.count)
    var bytes = output.bytes
    if let end = text.last, end != 0x0A, end != 0x0D, output.endsWithLine {
      bytes.removeLast(output.lineEndCount)
    }
    return (bytes, names.spelled)
  }

  /// Adds a color that is new here beside a group.
  private func add(
    _ index: Int,
    _ gap: GroupEdges.Gap,
    to output: inout TextOutput,
    _ names: inout Names,
    _ changes: TextChanges
  ) {
    let unit = rendered(
      gap.place,
      as: index,
      entry: gap.entry,
      &names,
      changes,
      isSeparated: true
    )
    let core = unit.drop { $0 == 0x20 || $0 == 0x09 }
    let comma: [UInt8] = gap.needsComma ? [UInt8(ascii: ",")] : []
    output.append(gap.isBehind ? comma + gap.space + core : core + gap.space)
  }

  /// Adds a color that is new here: one that moved brings its own text, another takes that of a neighbor.
  private func add(
    _ index: Int,
    _ pairs: [Int?],
    beside neighbor: Int,
    to output: inout TextOutput,
    _ names: inout Names,
    _ changes: TextChanges,
    isSeparated: Bool
  ) {
    let place: EntryPlace
    var source: Int?
    // A declaration among others on a line does not become a line, nor the other way round.
    if let entry = pairs[index], (places[entry].lineEnd == nil) == (places[neighbor].lineEnd == nil)
    {
      place = places[entry]
      source = entry
    } else {
      if let entry = pairs[index] { names.taken.remove(identifier(places[entry])) }
      place = places[neighbor]
    }
    output.append(
      rendered(place, as: index, entry: source, &names, changes, isSeparated: isSeparated),
      place
    )
  }

  private func hasSeparator(_ place: EntryPlace) -> Bool {
    place.separator.map { !$0.range.isEmpty } ?? true
  }

  /// The text of an entry, changed as far as it does not say what is wanted; all of it for a new one.
  private func rendered(
    _ place: EntryPlace,
    as index: Int,
    entry number: Int?,
    _ names: inout Names,
    _ changes: TextChanges,
    isSeparated: Bool
  ) -> [UInt8] {
    let entry = number.map { entries[$0] }
    let isNew = entry == nil
    let color =
      entry.map { !goal.holdsColor($0, at: index) && !goal.follows($0, at: index) } ?? true
    let name = entry.map { !goal.holdsName($0, at: index) } ?? true
    let note = entry.map { !goal.holdsNote($0, at: index) } ?? true
    var writer = SlotWriter(
      color: goal.colors[index],
      wanted: goal.wanted[index],
      prefix: place.prefix,
      names: names.taken
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
        case .key(_, let isFixed): isNew || (name && !isFixed)
        case .comment(let isOwn, _): isNew || (name && !isOwn)
        case .note, .missingNote: note
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
        let new = writer.text(slot.meaning, like: old, isNew: isNew)
        if let number, slot.meaning.isIdentifier { names.spelled[number] = writer.identifier }
        unit += Array(new.utf8)
      }
      cursor = slot.range.upperBound
    }
    names.taken = writer.names
    return unit + changes.copy(cursor..<place.range.upperBound, of: text)
  }

  private func identifier(_ place: EntryPlace) -> String {
    for slot in place.slots {
      let old = String(decoding: text[slot.range], as: UTF8.self)
      if case .identifier = slot.meaning { return old }
      if case .key(let quoting, _) = slot.meaning { return place.prefix + quoting.plain(old) }
    }
    return ""
  }

  /// The identifiers of the text.
  private struct Names {
    /// All of them so far.
    var taken: Set<String>
    /// The new ones of entries that were there before, by their numbers.
    var spelled: [Int: String] = [:]

    init(_ taken: Set<String>) { self.taken = taken }
  }
}

extension EntryPlace {
  /// The index at which the text after the entry begins.
  fileprivate var end: Int { lineEnd?.upperBound ?? range.upperBound }
}
