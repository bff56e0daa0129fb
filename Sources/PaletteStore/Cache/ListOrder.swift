import PaletteMerge
import PaletteModel

/// The order of a palette's list, kept beside the rows for as long as a node runs.
///
/// SQLite would count the colors before one by looking at all of them.
struct ListOrder {
  private struct Entry {
    let key: UInt64
    let place: Place
    let id: RecordID

    init(_ id: RecordID, _ place: Place) {
      key = place.sortKey
      self.place = place
      self.id = id
    }

    func precedes(_ other: Entry) -> Bool {
      if key != other.key { return key < other.key }
      return place == other.place ? id < other.id : place < other.place
    }
  }

  private var entries: [Entry]
  private var places: [RecordID: Place]

  init(_ listed: [(id: RecordID, place: Place)]) {
    // Small pairs are sorted, since most keys differ, and each entry is made once.
    var order: [(key: UInt64, position: Int32)] = []
    order.reserveCapacity(listed.count)
    places = Dictionary(minimumCapacity: listed.count)
    for (position, color) in listed.enumerated() {
      order.append((color.place.sortKey, Int32(position)))
      places[color.id] = color.place
    }
    order.sort { left, right in
      guard left.key == right.key else { return left.key < right.key }
      let (first, second) = (listed[Int(left.position)], listed[Int(right.position)])
      return Entry(first.id, first.place).precedes(Entry(second.id, second.place))
    }
    entries = []
    entries.reserveCapacity(listed.count)
    for (_, position) in order {
      let color = listed[Int(position)]
      entries.append(Entry(color.id, color.place))
    }
  }

  /// The index of a color; nil if it is not listed.
  func index(of id: RecordID) -> Int? {
    places[id].map { position(of: Entry(id, $0)) }
  }

  /// The color at a position.
  func neighbour(at index: Int) -> ListGap.Neighbour? {
    guard entries.indices.contains(index) else { return nil }
    return ListGap.Neighbour(id: entries[index].id, place: entries[index].place)
  }

  /// Returns whether a color is listed.
  func lists(_ id: RecordID) -> Bool { places[id] != nil }

  /// Notes where a color stands from now on; nil when it is not listed.
  mutating func put(_ id: RecordID, at place: Place?) {
    let old = places[id]
    guard old != place else { return }
    if let old { entries.remove(at: position(of: Entry(id, old))) }
    places[id] = place
    guard let place else { return }
    let entry = Entry(id, place)
    entries.insert(entry, at: position(of: entry))
  }

  /// About how much memory it takes.
  var byteCount: Int { 64 + entries.count * 176 }

  /// The number of entries that precede one.
  private func position(of entry: Entry) -> Int {
    entries.endOfPrefix { $0.precedes(entry) }
  }
}
