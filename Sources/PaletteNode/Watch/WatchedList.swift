internal import PaletteMerge
package import PaletteModel
package import PaletteStore

/// The list of a palette as its watchers know it, brought up to date record by record.
package struct WatchedList {
  /// The longest list that is packed: to unpack it takes less than a millisecond.
  private static let packLimit = 2_000

  private var listed: [ListedColor]
  /// The place of each listed color.
  private var places: [RecordID: Place] = [:]
  /// The whole list, while nobody changes it; nothing else is here then.
  private var packed: PackedList?

  package init(_ colors: [ListedColor] = []) {
    listed = colors
    indexPlaces()
  }

  /// Creates a list that nobody changes for now.
  init(packing colors: [ListedColor]) {
    listed = colors
    if colors.count > Self.packLimit { indexPlaces() } else { pack() }
  }

  /// The colors in order.
  package var colors: [ListedColor] { packed?.colors ?? listed }

  /// The number of colors there are.
  var count: Int { packed?.count ?? listed.count }

  /// Packs the list, unless it is long, so that it takes little memory until it changes.
  mutating func pack() {
    guard packed == nil, listed.count <= Self.packLimit else { return }
    packed = PackedList(listed)
    listed = []
    places = [:]
  }

  private mutating func unpack() {
    guard let packed else { return }
    listed = packed.colors
    self.packed = nil
    indexPlaces()
  }

  /// Replaces the whole list.
  package mutating func replace(with colors: [ListedColor]) throws(PaletteDiffError) -> ListChange {
    let change = try ListChange(from: self.colors, to: colors)
    packed = nil
    listed = colors
    indexPlaces()
    return change
  }

  /// Takes in what some records are now; nil for those that are not listed.
  ///
  /// - Returns: What changed; nil when only comparing the whole lists can tell, and then nothing
  ///   was taken in.
  mutating func update(_ records: [(id: RecordID, color: ListedColor?)]) -> ListChange? {
    unpack()
    var leaving: [Int] = []
    var arriving: [ListedColor] = []
    var staying: [(old: Int, new: ListedColor)] = []
    var moving: [(old: Int, new: ListedColor)] = []
    for (id, color) in records {
      let old = places[id].map { index(of: id, at: $0) }
      switch (old, color) {
      case (nil, nil): break
      case (let old?, nil): leaving.append(old)
      case (nil, let color?): arriving.append(color)
      case (let old?, let color?):
        if color.place == listed[old].place {
          staying.append((old, color))
        } else {
          moving.append((old, color))
        }
      }
    }
    // Which of several moves are needed depends on the others.
    guard moving.count <= 1 else { return nil }
    return apply(leaving.sorted(), arriving, staying, moving.first)
  }

  private mutating func apply(
    _ leaving: [Int],
    _ arriving: [ListedColor],
    _ staying: [(old: Int, new: ListedColor)],
    _ moving: (old: Int, new: ListedColor)?
  ) -> ListChange {
    var change = ListChange()
    change.deletions = leaving.map { .init(index: $0, id: listed[$0].color.id) }
    var updated = staying.filter { !listed[$0.old].showsSame(as: $0.new, isMoved: false) }
    var before = updated.map { ListChange.Entry(index: $0.old, color: listed[$0.old]) }
    let mover = moving.map { ListChange.Entry(index: $0.old, color: listed[$0.old]) }

    for (old, new) in staying { listed[old] = new }
    let gone = (leaving + [moving?.old].compactMap(\.self)).sorted()
    let come = (arriving + [moving?.new].compactMap(\.self)).sorted { $0.precedes($1) }
    for index in leaving { places[listed[index].color.id] = nil }
    for color in come { places[color.color.id] = color.place }
    remove(gone)
    let indexes = insert(come)

    for (index, color) in zip(indexes, come) where color.color.id != moving?.new.color.id {
      change.insertions.append(.init(index: index, color: color))
    }
    if let moving, let mover {
      let to = index(of: moving.new.color.id, at: moving.new.place)
      let oldRank = moving.old - leaving.count { $0 < moving.old }
      let newRank = to - change.insertions.count { $0.index < to }
      if oldRank != newRank {
        change.moves = [.init(from: moving.old, to: to, color: moving.new)]
      }
      if !mover.color.showsSame(as: moving.new, isMoved: oldRank != newRank) {
        updated.append(moving)
        before.append(mover)
      }
    }
    change.updates = zip(before, updated).map { was, now in
      (was, .init(index: index(of: now.new.color.id, at: now.new.place), color: now.new))
    }.sorted { $0.now.index < $1.now.index }
    return change
  }

  /// A listed color.
  mutating func color(_ id: RecordID) -> ListedColor? {
    unpack()
    return places[id].map { listed[index(of: id, at: $0)] }
  }

  /// The index of a color at a place, listed or not.
  private func index(of id: RecordID, at place: Place) -> Int {
    listed.endOfPrefix { $0.precedes(id, at: place) }
  }

  /// Removes colors at ascending indexes.
  private mutating func remove(_ indexes: [Int]) {
    guard indexes.count > 8 else {
      for index in indexes.reversed() { listed.remove(at: index) }
      return
    }
    var rest = indexes[...]
    var kept: [ListedColor] = []
    kept.reserveCapacity(listed.count - indexes.count)
    for (index, color) in listed.enumerated() {
      if index == rest.first { rest.removeFirst() } else { kept.append(color) }
    }
    listed = kept
  }

  /// Inserts colors that are in order.
  ///
  /// - Returns: Their indexes in the new list.
  private mutating func insert(_ arriving: [ListedColor]) -> [Int] {
    guard arriving.count > 8 else {
      return arriving.map { color in
        // Those that follow stand behind, so this index is final.
        let index = index(of: color.color.id, at: color.place)
        listed.insert(color, at: index)
        return index
      }
    }
    var merged: [ListedColor] = []
    merged.reserveCapacity(listed.count + arriving.count)
    var indexes: [Int] = []
    var next = 0
    for color in arriving {
      let end = index(of: color.color.id, at: color.place)
      merged += listed[next..<end]
      next = end
      indexes.append(merged.count)
      merged.append(color)
    }
    listed = merged + listed[next...]
    return indexes
  }

  private mutating func indexPlaces() {
    places = Dictionary(listed.map { ($0.color.id, $0.place) }) { _, last in last }
  }
}
