internal import PaletteCommands
internal import PaletteNode
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore

/// The libraries that one hub of a fleet serves, for the thread of its loop alone.
///
/// It carries out what `Ownership` says: everything that waits for the database is done beside the loop, but
/// for the append before a commit.
final class FleetDirectory: LibraryDirectory {
  /// The library that a name leads to, as far as it is known.
  private enum Place {
    case looking
    /// Nobody has given it to a library, as it was until a time.
    case unknown(until: Double)
    case known(SharedLibraryID)
  }

  /// The number of names that an address may have looked for at once, and the seconds until it may one more.
  private static let (looks, lookInterval) = (20.0, 1.0)
  /// The seconds for which it is believed that nobody has given a name.
  private static let unknownSeconds = 5.0
  /// The most names and addresses that are remembered.
  private static let memory = 10_000
  private static let tick = Duration.milliseconds(250)

  private let rooms: HubRooms
  private let caches: String
  /// The connection of appends, which the loop waits for, and that of everything else.
  private let logs: (append: any SharedLog, work: any SharedLog)
  private var ownership: Ownership
  private var places: [String: Place] = [:]
  private var names: [SharedLibraryID: String] = [:]
  /// The libraries that are open.
  private var open: [SharedLibraryID: RoomKey] = [:]
  private var libraries: [RoomKey: SharedLibraryID] = [:]
  /// The libraries that are being taken, opened or closed.
  private var busy: Set<SharedLibraryID> = []
  /// The library that lets nobody in, under all names that nobody has given to one.
  private var nobody: RoomKey?
  private var visitors = LookBudget(burst: looks, interval: lookInterval, memory: memory)
  private(set) var numbers = FleetNumbers()

  /// Begins to serve what a hub will own.
  ///
  /// - Parameters:
  ///   - hub: The hub, which is registered.
  ///   - rooms: Its rooms.
  ///   - caches: The folder of its caches, which it alone uses.
  ///   - logs: The connections to the log.
  init(
    _ hub: HubID,
    _ rooms: HubRooms,
    caches: String,
    logs: (append: any SharedLog, work: any SharedLog)
  ) {
    self.rooms = rooms
    self.caches = caches
    self.logs = logs
    ownership = Ownership(hub)
    passTime()
  }

  private var now: Double { Platform.secondsSinceStart }

  // MARK: Who asks

  func find(_ name: String, for address: String) -> NamedLibrary {
    switch places[name] {
    case .known(let id):
      guard let key = open[id] else { break }
      act(ownership.handle(.reached(id), at: now))
      return ownership.mayAnswer(id, at: now) ? .here(key) : .later(seconds: 1)
    case .unknown(let end) where now < end:
      return keyOfNobody.map { .here($0) } ?? .later(seconds: 1)
    case .looking: return .later(seconds: 1)
    case .unknown, nil: break
    }
    if case .known(let id)? = places[name], busy.contains(id) { return .later(seconds: 1) }
    // Nothing can be checked of whoever asks, so an address has only so many looks.
    if ownership.hasLease(at: now), visitors.allows(address, at: now) { look(name) }
    return .later(seconds: 1)
  }

  func mayAnswer(_ key: RoomKey) -> Bool {
    guard let id = libraries[key] else { return key == nobody }
    return ownership.mayAnswer(id, at: now)
  }

  var hindrance: String? {
    ownership.hasLease(at: now) ? nil : "the database does not answer"
  }

  var metrics: String {
    numbers.text(owned: ownership.count, open: open.count, isUp: ownership.hasLease(at: now))
  }

  private var keyOfNobody: RoomKey? {
    if let nobody { return nobody }
    do {
      let location = place(of: "nobody")
      let store = try ChangeStore(writing: try LibraryFolder(location.home))
      nobody = try rooms.open("nobody", location, store) { [unowned self] in nobody = nil }
    } catch {
      rooms.log(.fleet, isProblem: true, "unknown names cannot be answered: \(error)")
    }
    return nobody
  }

  private func place(of folder: String) -> LibraryLocation {
    let home = "\(caches)/\(folder)"
    return LibraryLocation(home: home, configurationFile: home + "/config.json")
  }

  private func look(_ name: String) {
    if places.count >= Self.memory {
      places = places.filter { if case .known = $0.value { true } else { false } }
    }
    places[name] = .looking
    beside { log throws(SharedLogError) in
      try log.look(name)
    } then: { [unowned self] result in
      switch result {
      case .failure: places[name] = nil
      case .success(nil): places[name] = .unknown(until: now + Self.unknownSeconds)
      case .success(let library?):
        places[name] = .known(library.id)
        names[library.id] = name
        act(ownership.handle(.asked(library), at: now))
      }
    }
  }

  // MARK: Time

  /// Takes note of the answer to a beat.
  func beat(_ answer: BeatAnswer?, of hub: HubID, sent: Double) {
    guard hub == ownership.hub else { return }
    act(ownership.handle(.beat(answer, sent: sent), at: now))
  }

  private func passTime() {
    act(ownership.handle(.tick, at: now))
    rooms.schedule(after: Self.tick) { [weak self] in self?.passTime() }
  }

  /// Goes on as another hub, after this one was declared dead.
  func begin(as hub: HubID) {
    ownership = Ownership(hub)
  }

  /// Lets go of everything; calls `then` when that is done.
  func drain(_ then: @escaping () -> Void) {
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
    case .open(let claim, let state): make(claim, state)
    case .reopen(let claim, let state):
      close(claim.library, because: "the library is opened anew")
      make(claim, state)
    case .close(let id):
      numbers.fenced += open[id] == nil ? 0 : 1
      close(id, because: "another hub serves it")
      busy.remove(id)
    case .letGo(let claim): letGo(claim)
    case .endDoubt(let claim): endDoubt(claim)
    case .suspend:
      for key in open.values { rooms.sendAway(key, because: "the database does not answer") }
    // Whoever sends the beats registers the hub anew, and calls `begin`.
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
    let wasOpen = open[claim.library] != nil
    close(claim.library, because: "another hub will serve it")
    busy.insert(claim.library)
    let cache = cache(of: claim.library)
    beside { log throws(SharedLogError) in
      // A cache that cannot be closed as it should be is made again next time.
      if wasOpen { _ = try? cache.close() }
      return try log.letGo(claim)
    } then: { [unowned self] _ in
      busy.remove(claim.library)
      act(ownership.handle(.left(claim.library), at: now))
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

  private func cache(of id: SharedLibraryID) -> LibraryCache {
    LibraryCache(folder(of: id))
  }

  private func folder(of id: SharedLibraryID) -> LibraryFolder {
    do {
      return try LibraryFolder(place(of: "\(id)").home)
    } catch {
      preconditionFailure("the folder of caches is an absolute path: \(error)")
    }
  }

  private func make(_ claim: LogClaim, _ state: LogState) {
    let id = claim.library
    busy.insert(id)
    let cache = cache(of: id)
    let timestamp = "\(systemMilliseconds())"
    beside { log in
      try CacheMaker(log, id, cache).make(for: state, timestamp: timestamp)
    } then: { [unowned self] result in
      busy.remove(id)
      do {
        try finishOpening(claim, try result.get())
      } catch {
        rooms.log(
          .fleet,
          isProblem: true,
          "library \(names[id] ?? "\(id)") cannot be opened: \(error)"
        )
        act(ownership.handle(.idle(id), at: now))
      }
    }
  }

  private func finishOpening(_ claim: LogClaim, _ made: CacheMaker.Made) throws {
    let id = claim.library
    if let aside = made.aside {
      numbers.lostTails += 1
      rooms.log(
        .lostTail,
        isProblem: true,
        "the database has lost the end of \(names[id] ?? "\(id)"); what this hub had is in \(aside)"
      )
    }
    // It may have been lost while its cache was made.
    guard ownership.claim(id, at: now) != nil, let name = names[id] else { return }
    let log = OwnedLog(
      logs.append,
      after: made.position,
      claim: { [unowned self] in ownership.claim(id, at: now) },
      onInterruption: { [unowned self] reason in
        // A commit is under way: what is closed, is closed after it.
        rooms.schedule(after: .zero) { [weak self] in self?.interrupted(id, reason) }
      }
    )
    let store = try ChangeStore(caching: folder(of: id), log: log)
    let key = try rooms.open(name, place(of: "\(id)"), store) { [unowned self] in
      act(ownership.handle(.idle(id), at: now))
    }
    open[id] = key
    libraries[key] = id
    numbers.opened += 1
  }

  private func interrupted(_ id: SharedLibraryID, _ reason: OwnedLog.Interruption) {
    act(ownership.handle(reason == .doubt ? .doubted(id) : .lost(id), at: now))
  }

  private func close(_ id: SharedLibraryID, because reason: String) {
    guard let key = open.removeValue(forKey: id) else { return }
    libraries[key] = nil
    rooms.close(key, because: reason)
  }

  // MARK: Beside the loop

  private func beside<Result: Sendable>(
    _ work: @escaping @Sendable (any SharedLog) throws -> Result,
    then: @escaping (Swift.Result<Result, any Error>) -> Void
  ) {
    let log = logs.work
    let attempt: @Sendable () -> Swift.Result<Result, any Error> = {
      Swift.Result {
        try log.connect()
        return try work(log)
      }
    }
    let isTaken = rooms.perform(attempt, then: then)
    guard !isTaken else { return }
    rooms.schedule(after: Self.tick) {
      then(.failure(SharedLogError(.notDone, .busy, "too much is being done")))
    }
  }
}
