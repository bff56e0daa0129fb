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
    entries = listed.map { Entry($0.id, $0.place) }
    entries.sort { $0.precedes($1) }
    places = Dictionary(listed.map { ($0.id, $0.place) }) { first, _ in first }
  }

  /// Where a color stands; nil when it is not listed.
  func index(of id: RecordID) -> Int? {
    places[id].map { position(of: Entry(id, $0)) }
  }

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

  /// How many entries precede one.
  private func position(of entry: Entry) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ChangeStore {
  /// Keeps the order of lists in memory from now on, once it is asked for.
  ///
  /// It pays for whoever asks often; a command that asks once counts.
  public func keepOrders() { orders = [:] }

  /// Where a color stands by the order that is kept; nil when none is.
  func keptIndex(of record: RecordID, in palette: PaletteRow) throws(StoreError) -> Int?? {
    guard orders != nil else { return nil }
    if orders?[palette.id] == nil {
      var listed: [(RecordID, Place)] = []
      listed.reserveCapacity(palette.colors)
      let select = try box(.places)
      try select.statement.bind(palette.number, at: 1)
      try select.statement.rows { row throws(StoreError) in
        if let place = Place(bytes: row.bytes(1)) { listed.append((try row.recordID(0), place)) }
      }
      orders?[palette.id] = ListOrder(listed)
    }
    return .some(orders?[palette.id]?.index(of: record))
  }

  /// Forgets the orders that a transaction may have altered that is not committed.
  func forgetOrders() {
    if orders != nil { orders = [:] }
  }
}
