internal import PaletteModel
internal import PaletteStore

/// One palette that somebody watches.
struct PaletteWatch<Watcher: Hashable> {
  var list: WatchedList
  var title: String
  var watchers: Set<Watcher> = []
  /// The watchers who could not take a diff, with the list that they know.
  var late: [Watcher: WatchedList] = [:]
  /// The newest change that was noted.
  private(set) var newest: (stamp: Stamp, dot: Dot)?
  private var touched: Set<RecordID> = []
  private var isDropped = false
  /// Whether the list has to be read whole.
  private var isRebuilt = false

  init(list: WatchedList, title: String) {
    self.list = list
    self.title = title
  }

  /// Notes a commit.
  mutating func note(_ changes: CommittedChanges) {
    touched.formUnion(changes.records)
    if changes.isRebuilt { isRebuilt = true }
    for entry in changes.changes {
      let stamp = (stamp: entry.change.stamp, dot: entry.change.dot)
      if newest.map({ ($0.stamp, $0.dot) < stamp }) ?? true { newest = stamp }
    }
  }

  /// Brings the list up to date with what was committed.
  mutating func takeIn(
    _ summary: PaletteSummary?,
    of palette: PaletteID,
    from store: ChangeStore
  ) throws -> ListChange {
    let wasDropped = isDropped
    isDropped = summary?.isDropped ?? true
    let records = touched
    touched = []
    if isDropped { return try list.replace(with: []) }
    // Reading a record costs about as much as ten of them in a row.
    let isSame = !wasDropped && !isRebuilt
    isRebuilt = false
    if isSame, records.count <= 64 || records.count * 10 < list.colors.count {
      var updates: [(id: RecordID, color: ListedColor?)] = []
      for record in records where record != palette.record {
        let shown = try store.record(record, in: palette)
        updates.append((record, shown?.isListed == true ? shown?.listed : nil))
      }
      if let change = list.update(updates) { return change }
    }
    return try list.replace(with: try store.colors(of: palette))
  }
}
