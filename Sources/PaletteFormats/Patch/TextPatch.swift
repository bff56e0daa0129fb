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
  ) -> (bytes: [UInt8], spelled: [Int: NewName]) {
    let placement = Placement(of: goal, in: contents, pairs)
    let stays = placement.stays
    var writer = UnitWriter(
      text,
      contents,
      goal,
      placement,
      changes,
      references,
      lineEnd: encoding.lineEnd,
      format
    )
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
      let home = placement.homes[index]
      if let group = placement.opened[index], placement.groups[group]?.first != index { continue }
      let next = nextKept < kept.count ? pairs[kept[nextKept]] : nil
      let inner = contents.groupPlaces[home].flatMap { group in
        placement.filled.contains(home)
          ? nil
          : edges.gap(
            inside: group,
            like: writer.template(beside: last ?? next ?? 0),
            own: pairs[index]
          )
      }
      // Without a single entry that stays, the new ones are before the first, or in its place.
      let first = kept.isEmpty ? 0 : next
      if let gap = inner ?? edges.gap(for: home, last, first, own: pairs[index]) {
        beside[gap.offset, default: []].append((index, gap))
        continue
      }
      // Of two groups that it may be in, the inner one; what is in none fits everywhere.
      let depths = [last, next].map { neighbor -> Int in
        guard let prefix = neighbor.map({ places[$0].prefix }), home.utf8.starts(with: prefix.utf8)
        else { return -1 }
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
      where (offset > range.lowerBound || start == 0) && offset <= range.upperBound {
        output.append(changes.copy(start..<offset, of: text))
        for (number, (index, gap)) in (beside[offset] ?? []).enumerated() {
          let unit = writer.unit(
            index,
            like: gap.place,
            indent: edges.isText ? gap.space.filter { $0 == 0x20 || $0 == 0x09 } : [],
            isSeparated: true
          )
          let comma: [UInt8] = gap.needsComma && number == 0 ? [UInt8(ascii: ",")] : []
          let core = unit.drop { edges.isText && ($0 == 0x20 || $0 == 0x09) }
          output.append(gap.isBehind ? comma + gap.space + core + gap.tail : core + gap.space)
        }
        start = offset
      }
      output.append(changes.copy(start..<range.upperBound, of: text))
    }
    for (entry, place) in places.enumerated() {
      between(cursor..<place.range.lowerBound)
      for index in before[entry] {
        add(index, beside: entry, to: &output, &writer, isSeparated: true)
      }
      let isKept = colorOf[entry] != nil
      if let index = colorOf[entry] {
        let isInner = !after[entry].isEmpty
        output.append(
          writer.rendered(place, as: index, entry: entry, isSeparated: isInner),
          place
        )
      } else if format.isText, after[entry].isEmpty {
        output.leaveOut(text[place.range], place)
      }
      let needsSeparator = !isKept || hasSeparator(place)
      for (step, index) in after[entry].enumerated() {
        let isInner = step + 1 < after[entry].count
        add(index, beside: entry, to: &output, &writer, isSeparated: needsSeparator || isInner)
      }
      cursor = place.end
    }
    between(cursor..<text.count)
    var bytes = output.bytes
    if let end = text.last, end != 0x0A, end != 0x0D, output.endsWithLine {
      bytes.removeLast(output.lineEndCount)
    }
    return (bytes, writer.spelled)
  }

  /// Adds a color that is new here: one that moved brings its own text, another takes that of a neighbor.
  private func add(
    _ index: Int,
    beside neighbor: Int,
    to output: inout TextOutput,
    _ writer: inout UnitWriter,
    isSeparated: Bool
  ) {
    let beside = places[neighbor]
    if let entry = writer.entry(thatStays: index, like: beside) {
      let place = places[entry]
      let unit = writer.rendered(place, as: index, entry: entry, isSeparated: isSeparated)
      return output.append(unit, place)
    }
    let space = text[beside.range].prefix { format.isText && ($0 == 0x20 || $0 == 0x09) }
    let unit = writer.unit(
      index,
      like: writer.template(beside: neighbor),
      indent: beside.lineEnd == nil ? [] : Array(space),
      isSeparated: isSeparated
    )
    // In most formats the space before an entry is a part of it.
    output.append(beside.isMember ? space + unit : unit, beside)
  }

  private func hasSeparator(_ place: EntryPlace) -> Bool {
    place.separator.map { !$0.range.isEmpty } ?? true
  }
}

extension EntryPlace {
  /// The index at which the text after the entry begins.
  fileprivate var end: Int { lineEnd?.upperBound ?? range.upperBound }
}
