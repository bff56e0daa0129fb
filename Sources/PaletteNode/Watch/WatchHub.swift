internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteModel
internal import PaletteStore

/// Everyone who watches palettes, and the lists that they know.
///
/// Commits are remembered as they happen and turned into diffs by `flush`, so that an answer to a watcher
/// always leaves before the diffs that follow from it. A dropped palette is an empty list: its
/// watchers get deletions, and insertions when it comes back.
struct WatchHub<Watcher: Hashable> {
  /// The news for watchers.
  struct News {
    /// The message of the RPC API.
    let message: [UInt8]
    fileprivate(set) var watchers: Set<Watcher>

    init(_ method: String, _ document: [UInt8], to watchers: Set<Watcher>) {
      message = RPCResponder.notification(method, document)
      self.watchers = watchers
    }
  }

  private var watches: [PaletteID: PaletteWatch<Watcher>] = [:]
  private var index = WatcherIndex<Watcher>()
  private var open = OpenLists(colorLimit: 50_000)
  /// The number of colors in lists that are not watched any more.
  private var releasedColors = 0
  /// Tells what the author is called who makes changes in a palette under a node id.
  var nameOf: (NodeID, PaletteID) -> String? = { _, _ in nil }
  /// The name of the person who has a palette open here and edits under a node id; nil if there is none.
  var visitorOf: (NodeID, PaletteID) -> String? = { _, _ in nil }

  /// The number of watches there are.
  var count: Int { index.count }

  /// The palettes of which something was committed that watchers do not know yet.
  private var touched: Set<PaletteID> = []
  /// The palettes that could not be read when watchers were to be told.
  private var owed: Set<PaletteID> = []

  /// The commit that goes on, where watchers can be told of it at once.
  private var draft: Draft?

  /// The news for watchers of a commit that is still going on.
  private enum Draft {
    /// The disk is not writing yet.
    case foreseen(ForeseenList)
    /// The list has been brought to it; what it was before, and what is told.
    case written(before: ForeseenList, News?)
    /// The commit is durable.
    case due(PaletteID, News?)
  }

  /// True if anything was committed that watchers do not know yet.
  var hasNews: Bool {
    if case .due = draft { return true }
    return !touched.isEmpty
  }

  /// Looks, before a commit, at what watchers will have to be told of it.
  mutating func foresee(_ changes: [CommittedChanges], from store: ChangeStore) throws {
    guard changes.count == 1, let changes = changes.first, touched.isEmpty, owed.isEmpty,
      draft == nil, let watch = watches[changes.palette],
      let summary = try store.summary(of: changes.palette),
      var foreseen = try watch.foresee(changes, summary, from: store)
    else { return }
    if let node = foreseen.newest?.dot.node {
      foreseen.newest?.name = nameOf(node, changes.palette)
      foreseen.newest?.visitor = visitorOf(node, changes.palette)
    }
    draft = .foreseen(foreseen)
  }

  /// Writes what watchers will be told, while it is not known yet whether they will be.
  mutating func writeDraft() {
    guard case .foreseen(let foreseen) = draft,
      var watch = watches.removeValue(forKey: foreseen.palette)
    else { return }
    defer { watches[foreseen.palette] = watch }
    guard let (change, before) = watch.apply(foreseen) else { return }
    keepOpen(foreseen.palette, watch)
    draft = .written(
      before: before,
      change.isEmpty ? nil : Self.news(change, of: foreseen.palette, watch, for: watch.watchers)
    )
  }

  /// Takes back what was foreseen of a commit that was not made.
  mutating func dropDraft() {
    switch draft {
    case .foreseen: draft = nil
    case .written(let before, _):
      _ = watches[before.palette]?.apply(before)
      draft = nil
    case .due, nil: break
    }
  }

  /// A commit was made.
  mutating func committed(_ changes: CommittedChanges) {
    switch draft {
    case .foreseen: draft = nil
    case .written(let before, let news):
      draft = .due(before.palette, news)
      return
    case .due, nil: break
    }
    guard watches[changes.palette]?.committed(changes) != nil else { return }
    touched.insert(changes.palette)
  }

  /// Adds a watcher; what was committed before has to be flushed.
  ///
  /// - Returns: `{"event":"snapshot","palette":{...},"colors":[...]}`, with what the watcher can undo.
  mutating func watch(
    _ palette: PaletteSummary,
    by watcher: Watcher,
    undoing undoable: Undoable? = nil,
    in store: ChangeStore
  ) throws -> [UInt8] {
    let colors: [ListedColor]
    if let known = watches[palette.id] {
      colors = known.list.colors
    } else {
      colors = try store.colors(of: palette.id, withSeen: true)
      watches[palette.id] = PaletteWatch(list: WatchedList(packing: colors), title: palette.name)
    }
    watches[palette.id]?.late[watcher] = nil
    watches[palette.id]?.watchers.insert(watcher)
    index.add(watcher, to: palette.id)
    return PaletteSheet(palette, colors).snapshot(undoing: undoable)
  }

  /// Removes a watcher from a palette.
  mutating func unwatch(_ palette: PaletteID, by watcher: Watcher) {
    index.remove(watcher, from: palette)
    watches[palette]?.watchers.remove(watcher)
    watches[palette]?.late[watcher] = nil
    if let watch = watches[palette], watch.watchers.isEmpty, watch.late.isEmpty {
      watches[palette] = nil
      open.remove(palette)
      releasedColors += watch.list.count
    }
  }

  /// Returns whether lists that nobody watches any more had so many colors since this was true
  /// last.
  mutating func hasReleased(_ colors: Int) -> Bool {
    guard releasedColors >= colors else { return false }
    releasedColors = 0
    return true
  }

  /// A list was changed: those that were not for long take little memory from now on.
  private mutating func keepOpen(_ palette: PaletteID, _ watch: PaletteWatch<Watcher>) {
    pack(open.use(palette, colors: watch.list.count))
  }

  /// Packs lists, so that they take little memory until they change.
  mutating func pack(_ palettes: some Sequence<PaletteID>) {
    for palette in palettes { watches[palette]?.list.pack() }
  }

  /// Those who watch a palette and keep up with it.
  func watchers(of palette: PaletteID) -> Set<Watcher> { watches[palette]?.watchers ?? [] }

  /// Everyone who watches something.
  var everyone: Set<Watcher> { index.everyone }

  /// Removes a watcher from everything.
  mutating func remove(_ watcher: Watcher) {
    for palette in index.palettes(of: watcher) { unwatch(palette, by: watcher) }
  }

  /// Those whom the next `flush` has something for.
  var expectant: Set<Watcher> {
    var expectant: Set<Watcher> = []
    if case .due(_, let news) = draft { expectant = news?.watchers ?? [] }
    for palette in touched { expectant.formUnion(watches[palette]?.watchers ?? []) }
    return expectant
  }

  /// A watcher cannot take more now, before a `flush`: it stays at the lists it knows.
  mutating func delay(_ watcher: Watcher) {
    for palette in index.palettes(of: watcher) {
      guard let list = watches[palette]?.list, watches[palette]?.watchers.remove(watcher) != nil
      else { continue }
      watches[palette]?.late[watcher] = list
      index.delay(watcher, of: palette)
    }
  }

  /// The watchers who were delayed.
  var late: Set<Watcher> { index.latecomers }

  /// Brings a watcher up to date: the changes that it missed, in one diff for each palette.
  mutating func catchUp(_ watcher: Watcher) throws -> [News] {
    var news: [News] = []
    for palette in index.latePalettes(of: watcher) {
      guard let watch = watches[palette], let known = watch.late[watcher] else { continue }
      watches[palette]?.late[watcher] = nil
      watches[palette]?.watchers.insert(watcher)
      index.catchUp(watcher, with: palette)
      let change = try ListChange(from: known.colors, to: watch.list.colors)
      guard !change.isEmpty else { continue }
      news.append(Self.news(change, of: palette, watch, for: [watcher]))
    }
    return news
  }

  /// Takes out the news that was written while the newest commit became durable, if there was any.
  mutating func removeDraft() -> News? {
    guard case .due(let palette, let drafted) = draft else { return nil }
    draft = nil
    guard var news = drafted, let watch = watches[palette] else { return nil }
    // Some may have stopped watching meanwhile.
    news.watchers.formIntersection(watch.watchers.union(watch.late.keys))
    return news
  }

  /// Turns what was committed into diffs.
  mutating func flush(_ store: ChangeStore) throws -> [News] {
    guard hasNews else { return [] }
    owed.formUnion(touched)
    touched = []
    var news = removeDraft().map { [$0] } ?? []
    for palette in owed.sorted() {
      guard var watch = watches.removeValue(forKey: palette) else {
        owed.remove(palette)
        continue
      }
      // The watch is taken out meanwhile, so that its list is changed in place.
      defer { watches[palette] = watch }
      let summary = try store.summary(of: palette)
      let change = try watch.apply(summary, of: palette, from: store)
      keepOpen(palette, watch)
      watch.nameAuthor { (nameOf($0, palette), visitorOf($0, palette)) }
      owed.remove(palette)
      if !change.isEmpty {
        news.append(Self.news(change, of: palette, watch, for: watch.watchers))
      }
      if let summary, !summary.name.hasSameBytes(as: watch.title) {
        watch.title = summary.name
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("event", "title" as String?)
        writer.key("palette")
        writer.value(PaletteAnswer(summary).json)
        writer.endObject()
        news.append(News("palette.title", writer.bytes, to: watch.watchers))
      }
    }
    return news
  }

  private static func news(
    _ change: ListChange,
    of palette: PaletteID,
    _ watch: PaletteWatch<Watcher>,
    for watchers: Set<Watcher>
  ) -> News {
    News(
      "palette.diff",
      change.document(of: palette, by: watch.newest),
      to: watchers
    )
  }
}

extension PaletteSheet {
  /// `{"event":"snapshot","palette":{...},"colors":[...]}`.
  package var snapshot: [UInt8] { snapshot(undoing: nil) }

  /// The same with what whoever gets it can undo and redo.
  func snapshot(undoing undoable: Undoable?) -> [UInt8] {
    var writer = JSONWriter(capacity: colors.count * 200 + 200)
    writer.beginObject()
    writer.member("event", "snapshot" as String?)
    writer.members(of: self)
    if let undoable {
      writer.member("canUndo", undoable.canUndo)
      writer.member("canRedo", undoable.canRedo)
    }
    writer.endObject()
    return writer.bytes
  }
}
