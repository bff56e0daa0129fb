internal import PaletteCommands
package import PaletteNode
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore

/// The libraries that one hub of a fleet serves, for the thread of its loop alone.
///
/// It carries out what `Ownership` says: everything that waits for the database is done beside the loop, but
/// for the append before a commit.
package final class FleetDirectory: LibraryDirectory {
  private static let tick = Duration.milliseconds(250)
  /// The time after which a library whose log did not answer is opened again.
  private static let pause = Duration.seconds(1)

  private let rooms: any FleetRooms
  private let caches: CachePlaces
  /// The connection of appends, which the loop waits for, and that of everything else.
  private let logs: (append: any SharedLog, work: any SharedLog)
  private let limits: LogLimits
  /// The time at which the last beat was sent that was answered to a hub, though the loop has not heard of it yet.
  private let answered: (HubID) -> Double?
  private var ownership: Ownership
  private var places: NameTable
  private var names: [SharedLibraryID: String] = [:]
  /// The notice of each library whose end the database had lost, for whoever asks how it is.
  private var losses: [SharedLibraryID: String] = [:]
  private var open = OpenRooms()
  /// The libraries that are being taken, opened or closed.
  private var busy: Set<SharedLibraryID> = []
  private let nobody: NobodysRoom
  private var news = DatabaseNews()
  private var numbers = FleetNumbers()
  private lazy var images = ImageKeeper(rooms, logs.work) { [unowned self] in subject($0) }

  /// Begins to serve what a hub will own.
  ///
  /// - Parameters:
  ///   - hub: The hub, which is registered.
  ///   - rooms: Its rooms.
  ///   - caches: The folder of its caches, which it alone uses.
  ///   - logs: The connections to the log.
  ///   - limits: The sizes of its entries and images.
  ///   - isBehindProxy: True if everybody comes from the address of a proxy.
  ///   - answered: The time at which the last beat was sent that was answered to a hub; nil where none was.
  package init(
    _ hub: HubID,
    _ rooms: any FleetRooms,
    caches: String,
    logs: (append: any SharedLog, work: any SharedLog),
    limits: LogLimits = LogLimits(),
    isBehindProxy: Bool = false,
    answered: @escaping (HubID) -> Double? = { _ in nil }
  ) {
    self.rooms = rooms
    self.caches = CachePlaces(path: caches)
    nobody = NobodysRoom(rooms, self.caches)
    self.logs = logs
    self.limits = limits
    self.answered = answered
    places = NameTable(isBehindProxy: isBehindProxy)
    ownership = Ownership(hub)
    passTime()
  }

  private var now: Double { rooms.now }

  // MARK: Who asks

  package func find(_ name: String, for address: String) -> NamedLibrary {
    renewLease()
    switch places.place(of: name) {
    case .known(let id):
      if let key = open[id]?.key {
        act(ownership.handle(.reached(id), at: now))
        return ownership.mayAnswer(id, at: now) ? .here(key) : .later(seconds: 1)
      }
      if busy.contains(id) { return .later(seconds: 1) }
    case .unknown(let end) where now < end:
      return nobody.open().map { .here($0) } ?? .later(seconds: 1)
    case .looking: return .later(seconds: 1)
    case .unknown, nil: break
    }
    if ownership.hasLease(at: now), rooms.mayTake(), places.look(name, for: address, at: now) {
      look(name)
    }
    return .later(seconds: 1)
  }

  package func isFetching(_ name: String) -> Bool {
    switch places.place(of: name) {
    case .looking: true
    case .known(let id): busy.contains(id)
    case .unknown, nil: false
    }
  }

  package func mayAnswer(_ key: RoomKey) -> Bool {
    guard let id = open.library(of: key) else { return key == nobody.key }
    renewLease()
    return ownership.mayAnswer(id, at: now)
  }

  package var hindrance: String? {
    ownership.hasLease(at: now) ? nil : (news.reason ?? .away).hindrance
  }

  package var metrics: String {
    let (owned, isUp) = (ownership.count, hindrance == nil)
    return numbers.text(owned: owned, open: open.count, images: images.made, isUp: isUp)
  }

  private func look(_ name: String) {
    beside { log throws(SharedLogError) in
      try log.look(name)
    } then: { [unowned self] result in
      guard case .success(let found) = result else { return places.forget(name) }
      // Without an image it is being imported, or never was to the end.
      guard let library = found, library.state.image != nil else {
        return places.foundNothing(name, at: now)
      }
      guard !library.isNewer else {
        places.forget(name)
        return rooms.tell(.fleet, isProblem: true, SharedLogError.newer(name).message)
      }
      names[library.id] = name
      act(ownership.handle(.asked(library), at: now))
      let owner = busy.contains(library.id) ? nil : library.owner
      places.found(name, library.id, at: owner, now: now)
    }
  }

  // MARK: Time

  /// Takes note of the answer to a beat.
  package func beat(_ answer: BeatAnswer?, of hub: HubID, sent: Double) {
    if let line = news.answered(at: now) { rooms.tell(.database, isProblem: false, line) }
    guard hub == ownership.hub else { return }
    act(ownership.handle(.beat(answer, sent: sent), at: now))
    // Whoever waits for a library of a hub that is gone need not ask for it once more.
    for name in places.lookAgain(at: now, where: ownership.isGone) { look(name) }
  }

  /// Takes note of a beat that was not answered.
  package func missBeat(because error: SharedLogError) {
    if let line = news.failed(error, at: now) { rooms.tell(.database, isProblem: true, line) }
  }

  /// Takes note of a beat that was answered while the loop was busy: the hub goes on to be the owner.
  private func renewLease() {
    if let sent = answered(ownership.hub) { ownership.renewLease(sent: sent, at: now) }
  }

  private func passTime() {
    renewLease()
    act(ownership.handle(.tick, at: now))
    for id in open.needingImages { images.need(id) }
    for id in open.removeRolledBack() { tell(.lacking, of: id) }
    rooms.schedule(after: Self.tick) { [weak self] in self?.passTime() }
  }

  /// Goes on as another hub, after this one was declared dead.
  package func begin(as hub: HubID) { ownership = Ownership(hub) }

  /// Lets go of everything; calls `then` when that is done.
  package func drain(_ then: @escaping () -> Void) {
    act(ownership.handle(.drain, at: now))
    awaitEnd(then)
  }

  private func awaitEnd(_ then: @escaping () -> Void) {
    guard ownership.count > 0 else { return then() }
    rooms.schedule(after: .milliseconds(20)) { [weak self] in self?.awaitEnd(then) }
  }

  // MARK: Acts

  private func act(_ actions: [OwnershipAction]) {
    for action in actions { act(action) }
  }

  private func act(_ action: OwnershipAction) {
    switch action {
    case .take(let library, let reason): take(library, reason)
    case .want(let library):
      let hub = ownership.hub
      beside { log throws(SharedLogError) in
        try log.want(library, for: hub)
      } then: { _ in
      }
    case .later(let id), .refuse(let id): busy.remove(id)
    case .open(let claim, let state): make(claim, state, isContinued: false)
    case .reopen(let claim, let state):
      close(claim.library, because: "the library is opened anew")
      make(claim, state, isContinued: true)
    case .close(let id):
      numbers.fenced += open[id] == nil ? 0 : 1
      close(id, because: "another hub serves it")
      busy.remove(id)
    case .letGo(let claim): letGo(claim)
    case .endDoubt(let claim): endDoubt(claim)
    case .suspend:
      for key in open.keys { rooms.sendAway(key, because: "the database does not answer") }
    case .bury(let hub, let beat):
      beside { log in
        try log.bury(hub, at: beat)
      } then: { _ in
      }
    // Whoever sends the beats registers the hub again, and calls `begin`.
    case .startAgain: break
    }
  }

  private func take(_ library: SharedLibrary, _ reason: LogTaking) {
    busy.insert(library.id)
    let hub = ownership.hub
    beside { log throws(SharedLogError) in
      try log.take(library, because: reason, for: hub, schema: ChangeStore.formatVersion)
    } then: { [unowned self] result in
      switch result {
      case .success(let state):
        if state != nil, reason != .free { numbers.takenOver += 1 }
        act(ownership.handle(.took(library.id, state), at: now))
      case .failure: act(ownership.handle(.notTaken(library.id), at: now))
      }
    }
  }

  private func letGo(_ claim: LogClaim) {
    let name = open[claim.library] == nil ? nil : names[claim.library]
    close(claim.library, because: "another hub will serve it")
    leave(claim, named: name)
  }

  private func leave(_ claim: LogClaim, named name: String?) {
    let id = claim.library
    busy.insert(id)
    let cache = caches.cache(of: id)
    beside { log in
      try OwnedCache(log, claim, cache).leave(named: name)
    } then: { [unowned self] result in
      // The next owner has only what the log has: it is not to be let go unseen.
      if case .failure = result, name != nil, ownership.isLeaving(id) {
        return rooms.schedule(after: Self.pause) { [weak self] in self?.leave(claim, named: name) }
      }
      busy.remove(id)
      if case .success(true) = result { tell(.givenBack, of: id) }
      act(ownership.handle(.left(id), at: now))
    }
  }

  private func endDoubt(_ claim: LogClaim) {
    numbers.doubts += 1
    beside { log throws(SharedLogError) in
      try log.endDoubt(claim)
    } then: { [unowned self] result in
      switch result {
      case .success(let state): act(ownership.handle(.doubtEnded(claim.library, state), at: now))
      case .failure: act(ownership.handle(.doubtRemains(claim.library), at: now))
      }
    }
  }

  // MARK: Opening

  private func make(_ claim: LogClaim, _ state: LogState, isContinued: Bool) {
    let id = claim.library
    busy.insert(id)
    let cache = caches.cache(of: id)
    let timestamp = "\(systemMilliseconds())"
    beside { log in
      try OwnedCache(log, claim, cache).open(
        state,
        isContinued: isContinued,
        timestamp: timestamp
      )
    } then: { [unowned self] result in
      finish(claim, result, isContinued: isContinued)
    }
  }

  /// Writes what is too long for an entry, while the library is closed.
  private func jump(_ id: SharedLibraryID, _ changes: [UInt8]) {
    guard let position = open[id]?.owned.position, let claim = ownership.claim(id, at: now) else {
      return act(ownership.handle(.idle(id), at: now))
    }
    close(id, because: "much is being written")
    busy.insert(id)
    let cache = caches.cache(of: id)
    beside(isSlow: true) { log in
      OpenedCache(at: try OwnedCache(log, claim, cache).jump(behind: position, applying: changes))
    } then: { [unowned self] result in
      finish(claim, result, isContinued: true)
    }
  }

  private func finish(
    _ claim: LogClaim,
    _ result: Result<OpenedCache, any Error>,
    isContinued: Bool
  ) {
    let id = claim.library
    busy.remove(id)
    if case .failure(let error) = result, isContinued, error is SharedLogError {
      // The file may be the only one that has what the log lost: again, until the claim is lost.
      return rooms.schedule(after: Self.pause) { [weak self] in
        guard let self, open[id] == nil else { return }
        act(ownership.handle(.doubted(id), at: now))
      }
    }
    guard let current = ownership.claim(id, at: now) else {
      // Without a lease nothing is opened; where it is not the hub's any more, this does nothing.
      return act(ownership.handle(.idle(id), at: now))
    }
    // It may have been lost meanwhile, and be about to open again.
    guard current == claim else { return }
    do {
      try serve(claim, try result.get())
    } catch {
      rooms.tell(.fleet, isProblem: true, "library \(title(id)) cannot be opened: \(error)")
      act(ownership.handle(.idle(id), at: now))
    }
  }

  private func serve(_ claim: LogClaim, _ opened: OpenedCache) throws {
    let id = claim.library
    if let aside = opened.aside { tell(.kept(file: aside), of: id) }
    if opened.isHealed { tell(.givenBack, of: id) }
    guard let name = names[id] else { return }
    let log = OwnedLog(
      logs.append,
      after: opened.position,
      limits: limits,
      claim: { [unowned self] in
        renewLease()
        return ownership.claim(id, at: now)
      },
      onInterruption: { [unowned self] reason in
        // A commit is under way: what is closed, is closed after it.
        rooms.schedule(after: .zero) { [weak self] in self?.interrupted(id, reason) }
      }
    )
    log.onAppend = { [unowned self] in numbers.appended($0, in: $1, to: name) }
    let store = try ChangeStore(caching: caches.folder(of: id), log: log)
    store.notice = losses[id]
    let key = try rooms.open(name, caches.location(of: id), store) { [unowned self] in
      act(ownership.handle(.idle(id), at: now))
    }
    open.add(OpenRooms.Room(key: key, owned: log, store: store), of: id)
    numbers.opened += 1
    log.tidy(claim, through: logs.work, beside: rooms)
  }

  private func tell(_ loss: LostEnd, of id: SharedLibraryID) {
    let words = loss.words(for: title(id))
    numbers.lostTails += 1
    losses[id] = LostEnd.notice(words, after: losses[id])
    open[id]?.store?.notice = losses[id]
    rooms.tell(.lostTail, isProblem: true, words)
  }

  /// The library of which an image is to be made; nil where it is none any more.
  private func subject(_ id: SharedLibraryID) -> ImageKeeper.Subject? {
    guard let room = open[id], room.owned.needsImage, let store = room.store,
      let claim = ownership.claim(id, at: now)
    else { return nil }
    let path = caches.folder(of: id).file("image")
    return ImageKeeper.Subject(store: store, claim: claim, owned: room.owned, path: path)
  }

  private func interrupted(_ id: SharedLibraryID, _ reason: OwnedLog.Interruption) {
    switch reason {
    case .doubt: act(ownership.handle(.doubted(id), at: now))
    case .broken: act(ownership.handle(.lost(id), at: now))
    case .tooLong(let changes): jump(id, changes)
    }
  }

  /// The name of a library, for people.
  private func title(_ id: SharedLibraryID) -> String { names[id] ?? "\(id)" }

  private func close(_ id: SharedLibraryID, because reason: String) {
    images.cancel(id)
    guard let key = open.remove(id) else { return }
    rooms.close(key, because: reason)
  }

  // MARK: Beside the loop

  private func beside<Result: Sendable>(
    isSlow: Bool = false,
    _ work: @escaping @Sendable (any SharedLog) throws -> Result,
    then: @escaping (Swift.Result<Result, any Error>) -> Void
  ) {
    rooms.perform(with: logs.work, isSlow: isSlow, work) { [weak self] result in
      then(result)
      self?.rooms.passFetched()
    }
  }
}
