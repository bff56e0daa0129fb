internal import PaletteModel

/// A group of a palette of Krita, or what is in none, with its grid.
struct KritaGroup {
  /// A color in the grid.
  struct Cell {
    let element: XMLElement
    let row: Int
    let column: Int
    /// The color; nil where it cannot be read.
    let color: Color?
  }

  let element: XMLElement
  /// The beginning of the names of its colors here.
  let prefix: String
  /// The colors by their places, not as they stand in the file.
  let cells: [Cell]

  private init(_ node: XMLElement, prefix: String) {
    element = node
    self.prefix = prefix
    let cells = node.children.filter { $0.name == "ColorSetEntry" }.map { element in
      let position = element.children.first { $0.name == "Position" }
      let place = [position?["row"], position?["column"]].map { $0.flatMap { Int($0) } ?? 0 }
      return Cell(
        element: element,
        row: place[0],
        column: place[1],
        color: element.children.lazy.compactMap { KritaFormat.color($0) }.first
      )
    }
    let order = cells.indices.sorted {
      (cells[$0].row, cells[$0].column, $0) < (cells[$1].row, cells[$1].column, $1)
    }
    self.cells = order.map { cells[$0] }
  }

  /// The groups in order, first what is in none.
  static func all(in root: XMLElement) -> [KritaGroup] { all(in: root, prefix: "") }

  private static func all(in node: XMLElement, prefix: String) -> [KritaGroup] {
    [KritaGroup(node, prefix: prefix)]
      + node.children.filter { $0.name == "Group" }.flatMap { inner in
        all(in: inner, prefix: prefix + (inner["name"].map { $0 + "/" } ?? ""))
      }
  }
}

/// Changes the document of a palette of Krita: what does not change stays as it is written, and where it is.
struct KritaPatch {
  private let probe: FileProbe
  private let text: [UInt8]
  private let root: XMLElement
  private let groups: [KritaGroup]
  private let columns: Int
  /// The cells of the entries, by their groups.
  private let cells: [(group: Int, cell: KritaGroup.Cell)]

  /// The rows and columns that a grid may have.
  private static let places = 0..<65_536

  /// Reads a document; nil where it is none in UTF-8, or has a grid that no program shows.
  init?(of text: [UInt8]) {
    probe = FileProbe(text)
    guard let root = try? probe.parsedXML.get(), probe.isUTF8 else { return nil }
    self.text = text
    self.root = root
    groups = KritaGroup.all(in: root)
    let columns = root["columns"].flatMap { Int($0) } ?? 16
    let grid = groups.flatMap(\.cells)
    guard Self.places.contains(columns),
      grid.allSatisfy({ Self.places.contains($0.row) && Self.places.contains($0.column) })
    else { return nil }
    let widest = grid.map { $0.column + 1 }.max() ?? 1
    self.columns = max(1, widest, columns)
    cells = groups.enumerated().flatMap { index, group in
      group.cells.filter { $0.color != nil }.map { (index, $0) }
    }
  }

  /// The document with other colors; nil where they have no place in it.
  func text(for arrangement: ColorArrangement) -> [UInt8]? {
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    var kept: Set<Int> = []
    let open = groups.indices.dropFirst().filter { !isClosed(groups[$0].element) }
    let prefixes = GroupPrefixes(open.map { groups[$0].prefix })
    let homes = arrangement.goals.map { goal in
      let home = prefixes.home(of: goal.color.name)
      return home.isEmpty ? 0 : open.first { groups[$0].prefix.hasSameBytes(as: home) } ?? 0
    }
    for (index, group) in groups.enumerated() {
      let colors = homes.indices.filter { homes[$0] == index }
      let own = colors.map { color in
        arrangement.entries[color].flatMap { cells[$0].group == index ? $0 : nil }
      }
      let blocked = group.cells.filter { $0.color == nil }.map(slot)
      guard
        let slots = GridSlots.assigned(
          own.map { $0.map { slot(cells[$0].cell) } },
          blocked: Set(blocked)
        )
      else { return nil }
      kept.formUnion(own.compactMap(\.self))
      var last: Int?
      var added: [UInt8] = []
      func add() {
        let place = last ?? group.element.tag.upperBound
        if !added.isEmpty { changes.append((place..<place, added)) }
        added = []
      }
      for ((color, entry), slot) in zip(zip(colors, own), slots) {
        let goal = arrangement.goals[color]
        if let entry {
          add()
          let cell = cells[entry].cell
          changes += edits(of: cell, to: goal, in: group, at: slot)
          last = cell.element.end
        } else {
          let moved = arrangement.entries[color].map { cells[$0].cell }
          added += element(for: goal, like: moved, in: group, at: slot)
        }
      }
      add()
      changes += rows(of: group.element, for: slots.last)
    }
    for (index, cell) in cells.enumerated() where !kept.contains(index) {
      var start = cell.cell.element.tag.lowerBound
      while start > 0, text[start - 1] <= 0x20 { start -= 1 }
      changes.append((start..<cell.cell.element.end, []))
    }
    if let title = arrangement.title { changes += change("name", of: root, to: title) }
    return TextChanges(changes).copy(0..<text.count, of: text)
  }

  private func slot(_ cell: KritaGroup.Cell) -> Int { cell.row * columns + cell.column }

  private func isClosed(_ element: XMLElement) -> Bool {
    text[..<element.tag.upperBound].suffix(2).elementsEqual("/>".utf8)
  }

  private func change(
    _ name: String,
    of element: XMLElement,
    to value: String
  ) -> [(range: Range<Int>, text: [UInt8])] {
    probe.attributes(of: element.tag).filter { $0.name.lowercased() == name.lowercased() }
      .prefix(1).map { ($0.value, Array(value.escapedForXML.utf8)) }
  }

  /// A grid that has too few rows says how many it has now.
  private func rows(
    of element: XMLElement,
    for slot: Int?
  ) -> [(range: Range<Int>, text: [UInt8])] {
    guard let slot, let rows = element["rows"].flatMap({ Int($0) }), slot / columns >= rows else {
      return []
    }
    return change("rows", of: element, to: String(slot / columns + 1))
  }

  private func edits(
    of cell: KritaGroup.Cell,
    to goal: UnitGoal,
    in group: KritaGroup,
    at slot: Int
  ) -> [(range: Range<Int>, text: [UInt8])] {
    var changes: [(range: Range<Int>, text: [UInt8])] = []
    if goal.changesName {
      changes += change("name", of: cell.element, to: name(goal, in: group))
    }
    if goal.changesColor,
      let model = cell.element.children.first(where: { KritaFormat.color($0) != nil })
    {
      let values = Self.values(of: goal.wanted.color, in: model)
      let edits = values.flatMap { change($0.name, of: model, to: "\($0.value)") }
      if edits.count == values.count, !values.isEmpty {
        changes += edits
      } else {
        changes.append((model.tag.lowerBound..<model.end, Self.model(of: goal.wanted.color)))
      }
    }
    if slot != self.slot(cell),
      let position = cell.element.children.first(where: { $0.name == "Position" })
    {
      changes += change("row", of: position, to: String(slot / columns))
      changes += change("column", of: position, to: String(slot % columns))
    }
    return changes
  }

  private func name(_ goal: UnitGoal, in group: KritaGroup) -> String {
    let name = goal.wanted.name ?? ""
    return name.droppingBytes(group.prefix) ?? name
  }

  /// The numbers that say a color in the model of an element; none where they cannot.
  private static func values(
    of color: Color,
    in element: XMLElement
  ) -> [(name: String, value: Double)] {
    func parts(_ space: ColorSpace, _ names: String...) -> [(String, Double)] {
      Array(zip(names, color.converted(to: space).components.map { $0 ?? 0 }))
    }
    switch element.name.lowercased() {
    case "rgb", "srgb":
      let isLinear = element["space"]?.contains("-g10") ?? false
      if isLinear { return parts(.srgbLinear, "r", "g", "b") }
      return Array(zip(["r", "g", "b"], color.shownParts))
    case "cmyk": return Array(zip(["c", "m", "y", "k"], color.inks))
    case "lab": return parts(.lab, "L", "a", "b")
    case "xyz": return parts(.xyzD50, "x", "y", "z")
    default: return []
    }
  }

  private static func model(of color: Color) -> [UInt8] {
    let parts = zip(["r", "g", "b"], color.shownParts).map { "\($0)=\"\($1)\"" }
    return Array(
      "<RGB \(parts.joined(separator: " ")) space=\"\(KritaFormat.profile)\"/>".utf8
    )
  }

  /// A new element with the spaces of those beside it; one that comes from another group brings its color
  /// along as it was written.
  private func element(
    for goal: UnitGoal,
    like moved: KritaGroup.Cell?,
    in group: KritaGroup,
    at slot: Int
  ) -> [UInt8] {
    let other = group.cells.first?.element ?? cells.first?.cell.element
    var (outer, inner, last) = ("\n  ", "\n    ", "\n  ")
    if let other {
      outer = space(before: other.tag.lowerBound)
      inner = other.children.first.map { space(before: $0.tag.lowerBound) } ?? ""
      last = other.children.last.map { space(after: $0.end) } ?? ""
    }
    let own = moved?.element.children.first { KritaFormat.color($0) != nil }
    let model =
      if let own, !goal.changesColor { Array(text[own.tag.lowerBound..<own.end]) } else {
        Self.model(of: goal.wanted.color)
      }
    let depth = goal.changesColor ? "U8" : moved?.element["bitdepth"] ?? "U8"
    let name = name(goal, in: group).escapedForXML
    let head =
      "\(outer)<ColorSetEntry name=\"\(name)\" id=\"\(name)\" bitdepth=\"\(depth)\" "
      + "spot=\"\(moved?.element["spot"] ?? "false")\">\(inner)"
    let place = "<Position row=\"\(slot / columns)\" column=\"\(slot % columns)\"/>"
    return Array(head.utf8) + model + Array("\(inner)\(place)\(last)</ColorSetEntry>".utf8)
  }

  private func space(before place: Int) -> String {
    var start = place
    while start > 0, text[start - 1] <= 0x20 { start -= 1 }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private func space(after place: Int) -> String {
    String(decoding: text[place...].prefix { $0 <= 0x20 }, as: UTF8.self)
  }
}
