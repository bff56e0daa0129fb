public import PaletteMerge
public import PaletteModel

extension PaletteWriter {
  /// The edits that add colors, in their order, at the end of the palette.
  ///
  /// It needs no list: the palette keeps a bound that no place here is behind.
  public func appending(_ colors: [NamedColor]) throws(StoreError) -> [Edit] {
    if let places = try places(count: colors.count, after: row.last, before: nil, newer: .after) {
      return zip(colors, places).map { .add($0, at: $1) }
    }
    // Only a place of almost the greatest length leaves no room behind it. It may be that of a color
    // that is hidden: from now on the end of the list is the bound.
    var list = try reader.colors(of: id)
    var edits: [Edit] = []
    let places = try makeRoom(for: colors.count, in: &list, at: list.count, &edits)
    draft.lowerBound(to: list.last?.place)
    return edits + zip(colors, places).map { .add($0, at: $1) }
  }

  /// The edits that add colors, in their order, before the color at an index of the list.
  public func inserting(
    _ colors: [NamedColor],
    into list: [ListedColor],
    at index: Int
  ) throws(StoreError) -> [Edit] {
    var list = list
    var edits: [Edit] = []
    let places = try makeRoom(for: colors.count, in: &list, at: index, &edits)
    return edits + zip(colors, places).map { .add($0, at: $1) }
  }

  /// The edits that turn the list into the one that the diff gives.
  public func applying(_ diff: PaletteDiff, to list: [ListedColor]) throws(StoreError) -> [Edit] {
    var next = DiffEdits(diff, on: list)
    var edits: [Edit] = []
    while let edit = try next.next(in: self) { edits.append(edit) }
    return edits
  }

  /// Turns the list into the one that the diff gives, as one action that can be undone.
  ///
  /// - Parameters:
  ///   - diff: What changes.
  ///   - list: The list as it is.
  ///   - others: Edits that belong to the same action.
  ///   - seen: For a color that is removed, updated or moved, the live values that whoever wants that has
  ///     seen; nil for all of them.
  ///   - claim: What others are told that it was, where its changes alone do not tell.
  ///   - report: Receives the number of edits carried out now and then; what it throws ends the action.
  /// - Returns: Whether anything was written.
  /// - Throws: `StoreError` when the store failed, or what `report` throws.
  @discardableResult
  public func act(
    _ diff: PaletteDiff,
    on list: [ListedColor],
    with others: [Edit] = [],
    seeing seen: (RecordID) -> SeenValues? = { _ in nil },
    as claim: ActionClaim? = nil,
    report: (Int) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    var edits = DiffEdits(diff, on: list)
    var steps: [UndoStep] = []
    try carryOut(&edits, &steps, seeing: seen, report: report)
    try carryOut(others, &steps)
    return try push(whole: steps, as: claim)
  }

  /// The edits that move a color of the list so that it ends at an index.
  public func moving(
    from start: Int,
    to end: Int,
    in list: [ListedColor]
  ) throws(StoreError) -> [Edit] {
    guard start != end else { return [] }
    var rest = list
    let moved = rest.remove(at: start)
    var edits: [Edit] = []
    let places = try makeRoom(for: 1, in: &rest, at: end, &edits)
    return edits + places.map { moved.color.moving(to: $0) }
  }

  /// Places for colors before an index of the list, where the list's own places leave room.
  ///
  /// Where they do not, because two are equal or the new one would be too long, the neighbours
  /// behind are re-placed too, as visible moves; where there is no room up to the end, the last ones.
  func makeRoom(
    for count: Int,
    in list: inout [ListedColor],
    at index: Int,
    _ edits: inout [Edit]
  ) throws(StoreError) -> [Place] {
    if let places = try placesBefore(index, count, in: &list, &edits) { return places }
    try makeRoomAtEnd(of: &list, &edits)
    if let places = try placesBefore(index, count, in: &list, &edits) { return places }
    throw StoreError(code: .failed, message: "there is no room at this position")
  }

  /// Re-places the last colors of the list, from the first one on that leaves no room behind it.
  func makeRoomAtEnd(
    of list: inout [ListedColor],
    _ edits: inout [Edit]
  ) throws(StoreError) {
    var first = list.count
    while first > 0, !PlaceGenerator.hasRoom(after: list[first - 1].place) { first -= 1 }
    let places = try places(
      count: list.count - first,
      after: first > 0 ? list[first - 1].place : nil,
      before: nil,
      newer: .after
    )
    for (index, place) in zip(first..., places ?? []) {
      list[index].place = place
      edits.append(list[index].color.moving(to: place))
    }
  }

  /// Places before an index of the list; nil where there is no room up to its end.
  private func placesBefore(
    _ index: Int,
    _ count: Int,
    in list: inout [ListedColor],
    _ edits: inout [Edit]
  ) throws(StoreError) -> [Place]? {
    let after = index > 0 ? list[index - 1] : nil
    // Equal places stand in the way one after another; each of them has to move.
    for next in index...list.count {
      let before = next < list.count ? list[next] : nil
      let newer = try newer(of: after?.color.id, before?.color.id)
      let needed = count + next - index
      guard
        let places = try places(
          count: needed,
          after: after?.place,
          before: before?.place,
          newer: newer
        )
      else { continue }
      for (offset, place) in places[count...].enumerated() {
        list[index + offset].place = place
        edits.append(list[index + offset].color.moving(to: place))
      }
      return Array(places[..<count])
    }
    return nil
  }

  /// The newer of the places of two neighbours.
  func newer(
    of after: RecordID?,
    _ before: RecordID?
  ) throws(StoreError) -> PlaceNeighbour {
    guard let after, let before,
      let left = try shown(.place, of: after),
      let right = try shown(.place, of: before)
    else { return .after }
    return try facts(of: left.dot).stamp < facts(of: right.dot).stamp ? .before : .after
  }

  /// Places between two others; nil where they leave no room.
  func places(
    count: Int,
    after: Place?,
    before: Place?,
    newer: PlaceNeighbour
  ) throws(StoreError) -> [Place]? {
    try parts.places.places(count: count, after: after, before: before, newer: newer)
  }

  /// The gap at a position of the list, without reading all of it; nil where reading it is faster.
  ///
  /// - Parameter index: The position, from 0 to the number of listed colors.
  /// - Returns: The colors on both sides of it.
  /// - Throws: `StoreError` when the store failed.
  package func gap(at index: Int) throws(StoreError) -> ListGap? {
    guard (0...row.colors).contains(index), records.isEmpty else { return nil }
    if let order = try reader.cache.order(of: row) {
      return ListGap(
        after: index > 0 ? order.neighbour(at: index - 1) : nil,
        before: index < row.colors ? order.neighbour(at: index) : nil
      )
    }
    guard row.colors > PlaceIndex.shortList else { return nil }
    if !row.hasPlaceIndex {
      try PlaceIndex.make(row, in: database)
      draft.usesPlaceIndex()
    }
    return try PlaceIndex.neighbours(of: index, in: row, database)
  }

  /// The edits that add colors, in their order, in a gap; nil where it leaves no room, so that others
  /// have to move.
  package func inserting(_ colors: [NamedColor], in gap: ListGap) throws(StoreError) -> [Edit]? {
    let newer = try newer(of: gap.after?.id, gap.before?.id)
    return try places(
      count: colors.count,
      after: gap.after?.place,
      before: gap.before?.place,
      newer: newer
    ).map { places in zip(colors, places).map { .add($0, at: $1) } }
  }
}

extension NamedColor {
  func moving(to place: Place) -> Edit {
    .set(id, [.place: RegisterValue(placeBytes: place.bytes)])
  }

  /// The edit, if any, that turns the content of `old` into this one's.
  func change(from old: NamedColor) -> Edit? {
    var writes: [Change.Write] = []
    let (name, oldName) = (RegisterValue(text: name), RegisterValue(text: old.name))
    if name != oldName { writes.append(Change.Write(.name, value: name)) }
    if color != old.color {
      writes.append(Change.Write(.color, value: RegisterValue(color: color)))
    }
    for register in Register.optional {
      let (text, oldText) = (self[text: register], old[text: register])
      if !text.hasSameBytes(as: oldText) {
        writes.append(Change.Write(register, value: RegisterValue(text: text)))
      }
    }
    return writes.isEmpty ? nil : .set(id, writes: writes)
  }
}
