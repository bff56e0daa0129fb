internal import PaletteModel
internal import PaletteStore

/// One palette that somebody watches.
struct PaletteWatch<Watcher: Hashable> {
  var list: WatchedList
  var title: String
  var watchers: Set<Watcher> = []
  /// The watchers who could not take a diff, with the list that they know.
  var late: [Watcher: WatchedList] = [:]
  /// The newest change that was committed.
  private(set) var newest: ChangeAuthor?
  private var touched: Set<RecordID> = []
  private var isDropped = false
  /// True if the list has to be read whole.
  private var isRebuilt = false

  init(list: WatchedList, title: String) {
    self.list = list
    self.title = title
  }

  /// A commit was made.
  mutating func committed(_ changes: CommittedChanges) {
    touched.formUnion(changes.records)
    if changes.isRebuilt { isRebuilt = true }
    newest = newest(with: changes)
  }

  /// The newest change when some are added.
  private func newest(with changes: CommittedChanges) -> ChangeAuthor? {
    changes.changes.reduce(into: newest) { newest, entry in
      let author = ChangeAuthor(entry.dot, at: entry.stamp)
      if newest.map({ $0 < author }) ?? true { newest = author }
    }
  }

  /// Predicts the coming commit's effect on the list; nil if only comparing whole lists can tell.
  func foresee(
    _ changes: CommittedChanges,
    _ summary: PaletteSummary,
    from store: ChangeStore
  ) throws -> ForeseenList? {
    guard touched.isEmpty, !isRebuilt, !changes.isRebuilt, !isDropped, !summary.isDropped,
      changes.records.count <= ChangeStore.recordsAtHand, summary.name.hasSameBytes(as: title)
    else { return nil }
    return ForeseenList(
      palette: changes.palette,
      updates: try store.listed(changes.records, in: changes.palette),
      newest: newest(with: changes)
    )
  }

  /// Brings the list to what is foreseen; nothing changes when that cannot be done.
  ///
  /// - Returns: What changed, and what takes it back.
  mutating func apply(
    _ foreseen: ForeseenList
  ) -> (change: ListChange, before: ForeseenList)? {
    let before = ForeseenList(
      palette: foreseen.palette,
      updates: foreseen.updates.map { (id: $0.id, color: list.color($0.id)) },
      newest: newest
    )
    guard let change = list.update(foreseen.updates) else { return nil }
    newest = foreseen.newest
    return (change, before)
  }

  /// Looks up what the author of the newest change is called.
  mutating func nameAuthor(_ names: (NodeID) -> (author: String?, visitor: String?)) {
    guard let node = newest?.dot.node else { return }
    let (author, visitor) = names(node)
    newest?.name = author
    newest?.visitor = visitor
  }

  /// Brings the list up to date with what was committed.
  mutating func apply(
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
    if isSame, records.count <= 64 || records.count * 10 < list.count {
      let updates = try store.listed(records, in: palette)
      if let change = list.update(updates) { return change }
    }
    return try list.replace(with: try store.colors(of: palette, withSeen: true))
  }
}

/// The list that a commit is going to make, or the list before it.
struct ForeseenList {
  let palette: PaletteID
  /// The records as they will be; nil for those that are not listed.
  let updates: [(id: RecordID, color: ListedColor?)]
  var newest: ChangeAuthor?
}

extension ChangeStore {
  /// The listed form of records of a palette; nil for those that are not listed.
  fileprivate func listed(
    _ records: some Sequence<RecordID>,
    in palette: PaletteID
  ) throws -> [(id: RecordID, color: ListedColor?)] {
    var listed: [(id: RecordID, color: ListedColor?)] = []
    for record in records where record != palette.record {
      let shown = try self.record(record, in: palette)
      listed.append((record, shown?.isListed == true ? shown?.listed : nil))
    }
    return listed
  }
}
