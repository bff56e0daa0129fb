internal import PaletteCommands
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Those who watch palettes and the library, and when they are told what.
final class Watching {
  /// The number of bytes that may wait for a watcher before it is told less often.
  private static let backlogLimit = 512 << 10
  /// So many colors are worth giving their memory back: a megabyte or more.
  private static let releasedColorLimit = 10_000
  /// The longest list whose order an edit may have to read.
  private static let shortList = 1_000
  /// So many watchers are told before an edit is answered.
  private static let fewWatchers = 8

  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let metrics: NodeMetrics
  private let log: (NodeLog) -> Void
  private var palettes = WatchHub<ConnectionID>()
  private var lists = LibraryWatch<ConnectionID>()
  /// True if watchers are told soon.
  private var willTell = false
  /// Whether counts of palettes were told within the last second.
  private var isResting = false
  /// True if late watchers are looked after soon.
  private var willCatchUp = false
  /// True if memory is given back soon.
  private var willRelease = false

  private var store: ChangeStore { library.store }

  init(
    _ loop: EventLoop,
    _ library: OpenLibrary,
    _ metrics: NodeMetrics,
    _ log: @escaping (NodeLog) -> Void
  ) {
    self.loop = loop
    self.library = library
    self.metrics = metrics
    self.log = log
    palettes.nameOf = { [unowned library] in
      try? library.authorName(of: $0, in: $1, library.store)
    }
  }

  /// The name of the person who has a palette open here and edits under a node id; nil if there is none.
  var visitorOf: (NodeID, PaletteID) -> String? {
    get { palettes.visitorOf }
    set { palettes.visitorOf = newValue }
  }

  // MARK: Who watches

  /// Is called before a client begins to watch a palette.
  var onWatch: () -> Void = {}

  /// All who watch a palette.
  var everyone: Set<ConnectionID> { palettes.everyone }

  /// The number of watches of palettes there are.
  var count: Int { palettes.count }

  /// Those who watch a palette and keep up with it.
  func watchers(of palette: PaletteID) -> Set<ConnectionID> { palettes.watchers(of: palette) }

  /// The name of the author who edits a palette under a node id.
  func name(of node: NodeID, in palette: PaletteID) -> String? { palettes.nameOf(node, palette) }

  /// Begins to tell a client about a palette.
  func watch(
    _ palette: PaletteSummary,
    by id: ConnectionID,
    _ author: AuthorID
  ) throws(RPCError) -> [UInt8] {
    // What happened before belongs to the snapshot, for this client, and to a diff for the others.
    tellAll()
    onWatch()
    do {
      let undoable = try store.undoable(in: palette.id, by: author)
      let snapshot = try palettes.watch(palette, by: id, undoing: undoable, in: store)
      if palette.count > Self.shortList { scheduleReadingOrder(of: palette.id) }
      scheduleRelease()
      return snapshot
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  /// Reads a list's order once the snapshot is on its way: the first edit shall not have to.
  private func scheduleReadingOrder(of palette: PaletteID) {
    loop.schedule(after: .milliseconds(1)) { [weak self] in
      guard let self, !palettes.watchers(of: palette).isEmpty else { return }
      do {
        try store.readOrder(of: palette)
      } catch {
        log(NodeLog(.error, .storage, "the order of a list cannot be read: \(error)"))
      }
    }
  }

  /// Ends what `watch` began.
  func unwatch(_ palette: PaletteID, by id: ConnectionID) {
    palettes.unwatch(palette, by: id)
    scheduleRelease()
  }

  /// Begins to tell a client which palettes there are.
  func watchLibrary(
    by id: ConnectionID,
    within scope: Scope,
    limit: Int?,
    after last: PaletteID?,
    order: LibraryWatch<ConnectionID>.ListOrder
  ) throws(RPCError) -> [UInt8] {
    tellAll()
    do {
      return try lists.watch(
        by: id,
        within: scope,
        limit: limit,
        after: last,
        order: order,
        store
      )
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  /// Forgets somebody who is gone.
  func remove(_ id: ConnectionID) {
    palettes.remove(id)
    lists.remove(id)
    scheduleRelease()
  }

  /// Gives back to the system, a little later, what it took to read lists, and what lists took that nobody
  /// watches any more: the C library keeps it.
  private func scheduleRelease() {
    guard !willRelease else { return }
    willRelease = true
    let count = store.commitCount
    loop.schedule(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      willRelease = false
      // Edits want the pages that they had.
      guard store.commitCount == count else { return scheduleRelease() }
      let hasReleasedPages = store.releasePages()
      if palettes.hasReleased(Self.releasedColorLimit) || hasReleasedPages {
        FreedMemory.giveBack()
      }
    }
  }

  // MARK: What happened

  /// Something is durable that watchers do not know yet.
  func committed(_ batch: [CommittedChanges]) {
    for changes in batch {
      palettes.committed(changes)
      lists.committed(changes)
    }
  }

  /// Looks at what watchers will have to be told, to write it while the disk writes.
  func foresee() {
    do {
      try palettes.foresee(store.uncommitted, from: store)
    } catch {
      // They are told after the commit, and the log says then why they cannot be.
    }
  }

  /// Writes what watchers will be told, while the disk writes.
  func writeDraft() { palettes.writeDraft() }

  /// Takes back what was foreseen of a commit that was not made.
  func dropDraft() { palettes.dropDraft() }

  /// Returns whether watchers may hear of edits before those who made them hear that they are done.
  ///
  /// A few are: they wait for news, and an answer can wait as long as telling a few takes. Somebody who
  /// asked and watches gets the answer first.
  func mayBeToldFirst(of edits: some Sequence<ConnectionID>) -> Bool {
    guard palettes.hasNews else { return false }
    let expectant = palettes.expectant
    return expectant.count <= Self.fewWatchers && edits.allSatisfy { !expectant.contains($0) }
  }

  // MARK: Telling

  /// Tells everyone soon, where there is something to tell.
  func scheduleTelling() {
    scheduleCounts()
    guard palettes.hasNews || lists.hasNews, !willTell else { return }
    willTell = true
    loop.schedule(after: .zero) { [weak self] in
      self?.willTell = false
      self?.tellAll()
    }
  }

  /// Tells everyone what was committed; those who cannot keep up are told later, all at once.
  func tellAll() {
    if let news = palettes.removeDraft() { tell(news) }
    tellLists()
    scheduleCounts()
    guard palettes.hasNews else { return }
    for id in palettes.expectant where loop.queuedBytes(of: id) > Self.backlogLimit {
      metrics.overflowed()
      palettes.delay(id)
      scheduleCatchUp()
    }
    do {
      for news in try store.read({ try palettes.flush(store) }) { tell(news) }
    } catch {
      log(NodeLog(.error, .storage, "watchers cannot be told: \(error)"))
    }
  }

  /// Tells how many colors palettes have that were edited, soon, and then again after a second.
  private func scheduleCounts() {
    guard lists.hasEdited, !isResting else { return }
    isResting = true
    loop.schedule(after: .milliseconds(20)) { [weak self] in self?.tellCounts() }
  }

  private func tellCounts() {
    tellLists { try lists.flushEdited(store) }
    loop.schedule(after: .seconds(1)) { [weak self] in
      guard let self else { return }
      isResting = false
      scheduleCounts()
    }
  }

  private func tellLists() { tellLists { try lists.flush(store) } }

  private func tellLists(_ flush: () throws -> [LibraryWatch<ConnectionID>.News]) {
    do {
      for news in try flush() {
        tell(WatchHub.News("library.palettes", news.document, to: news.watchers))
      }
    } catch {
      log(NodeLog(.error, .storage, "watchers cannot be told: \(error)"))
    }
  }

  /// Tells watchers that have room again what they missed, a little later.
  private func scheduleCatchUp() {
    guard !willCatchUp else { return }
    willCatchUp = true
    loop.schedule(after: .milliseconds(200)) { [weak self] in
      guard let self else { return }
      willCatchUp = false
      tellAll()
      for id in palettes.late where loop.queuedBytes(of: id) < Self.backlogLimit / 4 {
        catchUp(id)
      }
      if !palettes.late.isEmpty { scheduleCatchUp() }
    }
  }

  private func catchUp(_ id: ConnectionID) {
    do {
      for news in try palettes.catchUp(id) { tell(news) }
    } catch {
      log(NodeLog(.error, .storage, "a watcher cannot be told what it missed: \(error)"))
    }
  }

  /// Tells watchers something; one that does not take it is disconnected.
  func tell(_ news: WatchHub<ConnectionID>.News) {
    metrics.told()
    metrics.sent(news.message.count * news.watchers.count)
    for (id, result) in loop.broadcast(news.message, as: .text, to: news.watchers)
    where result == .full {
      metrics.overflowed()
      loop.close(id, code: .tryAgainLater)
    }
  }
}
