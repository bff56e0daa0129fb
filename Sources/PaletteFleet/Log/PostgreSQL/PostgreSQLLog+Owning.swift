internal import PaletteStore

extension PostgreSQLLog {
  package func register(_ hub: LogHub) throws(SharedLogError) {
    _ = try rows(
      .register,
      .int(hub.id.number),
      .text(hub.name),
      .text(hub.machine),
      .text(hub.url)
    )
  }

  package func beat(_ hub: HubID) throws(SharedLogError) -> BeatAnswer? {
    var beat: Int64?
    var owned: [SharedLibraryID: BeatAnswer.Owned] = [:]
    var beats: [HubID: Int64] = [:]
    for row in try rows(.beat, .int(hub.number)) {
      let number = try PostgreSQLRow.must(row.number(1))
      switch row.number(0) {
      case 0:
        beat = number
        beats[hub] = number
      case 1:
        let library = try PostgreSQLRow.must(row.bytes(2).flatMap(SharedLibraryID.init))
        owned[library] = BeatAnswer.Owned(epoch: number, wanted: row.hub(3))
      default: beats[try PostgreSQLRow.must(row.hub(3))] = number
      }
    }
    return beat.map { BeatAnswer(beat: $0, owned: owned, beats: beats) }
  }

  package func bury(_ hub: HubID) throws(SharedLogError) {
    _ = try rows(.bury, .int(hub.number))
  }

  package func bury(_ hub: HubID, at beat: Int64) throws(SharedLogError) {
    _ = try rows(.buryStill, .int(hub.number), .int(beat))
  }

  package func hubs() throws(SharedLogError) -> [LogHub] {
    var hubs: [LogHub] = []
    for row in try rows(.hubs) {
      var hub = try PostgreSQLRow.must(row.logHub(from: 0))
      hub.libraries = Int(try PostgreSQLRow.must(row.number(7)))
      hub.isSilent = row.isTrue(8)
      hubs.append(hub)
    }
    return hubs
  }

  package func forgetDead() throws(SharedLogError) {
    _ = try rows(.forgetDead)
  }

  package func create(
    _ id: SharedLibraryID,
    named name: String,
    schema: Int
  ) throws(SharedLogError) -> Bool {
    let hash = CachePosition.start.hash
    return try !rows(.create, .uuid(id), .text(name), .int(Int64(schema)), .bytes(hash)).isEmpty
  }

  package func look(_ name: String) throws(SharedLogError) -> SharedLibrary? {
    guard let row = try rows(.look, .text(name)).first else { return nil }
    return try PostgreSQLRow.must(row.library)
  }

  package func list() throws(SharedLogError) -> [SharedLibrary] {
    var libraries: [SharedLibrary] = []
    for row in try rows(.list) { libraries.append(try PostgreSQLRow.must(row.library)) }
    return libraries
  }

  package func drop(_ library: SharedLibraryID) throws(SharedLogError) -> Bool {
    let isDropped = try !rows(patiently: .drop, .uuid(library)).isEmpty
    _ = try rows(patiently: .dropLate, .uuid(library))
    return isDropped
  }

  package func want(_ library: SharedLibrary, for hub: HubID) throws(SharedLogError) -> Bool {
    guard let owner = library.owner else { return false }
    return try !rows(
      .want,
      .uuid(library.id),
      .int(owner.number),
      .int(library.state.epoch),
      .int(hub.number)
    ).isEmpty
  }

  package func take(
    _ library: SharedLibrary,
    because reason: LogTaking,
    for hub: HubID,
    schema: Int
  ) throws(SharedLogError) -> LogState? {
    let id = PostgreSQLValue.uuid(library.id)
    let epoch = PostgreSQLValue.int(library.state.epoch)
    let taker = PostgreSQLValue.int(hub.number)
    let newest = PostgreSQLValue.int(Int64(schema))
    let taken: [PostgreSQLRow]
    switch reason {
    case .free: taken = try rows(.takeFree, id, epoch, taker, newest)
    case .dead(let owner):
      taken = try rows(.takeFromDead, id, epoch, taker, newest, .int(owner.number))
    case .stoodStill(let owner, let beat):
      taken = try rows(
        .takeFromStill,
        id,
        epoch,
        taker,
        newest,
        .int(owner.number),
        .int(beat)
      )
    }
    guard let row = taken.first else { return nil }
    return try PostgreSQLRow.must(row.state(from: 0))
  }

  package func letGo(_ claim: LogClaim) throws(SharedLogError) -> Bool {
    let rows = try rows(
      .letGo,
      .uuid(claim.library),
      .int(claim.hub.number),
      .int(claim.epoch)
    )
    return !rows.isEmpty
  }

  package func endDoubt(_ claim: LogClaim) throws(SharedLogError) -> LogState? {
    let rows = try rows(
      .endDoubt,
      .uuid(claim.library),
      .int(claim.hub.number),
      .int(claim.epoch)
    )
    guard let row = rows.first else { return nil }
    return try PostgreSQLRow.must(row.state(from: 0))
  }
}

extension PostgreSQLRow {
  /// A hub whose columns begin somewhere.
  fileprivate func logHub(from start: Int) -> LogHub? {
    guard let id = hub(start), let name = text(start + 1), let machine = text(start + 2),
      let url = text(start + 3), let beat = number(start + 4), let seen = number(start + 5)
    else { return nil }
    var hub = LogHub(id: id, name: name, machine: machine, url: url)
    hub.beat = beat
    hub.seen = seen
    hub.isDead = isTrue(start + 6)
    return hub
  }

  /// The end of a log whose columns begin somewhere.
  fileprivate func state(from start: Int) -> LogState? {
    guard let epoch = number(start), let schema = number(start + 1),
      let head = number(start + 2), let hash = bytes(start + 3), let image = number(start + 4),
      let imageEpoch = number(start + 5), let parts = number(start + 6),
      let imageHash = bytes(start + 7)
    else { return nil }
    return LogState(
      epoch: epoch,
      schema: Int(schema),
      head: head,
      hash: hash,
      image: image == 0
        ? nil : LogImage(number: image, epoch: imageEpoch, parts: Int(parts), hash: imageHash)
    )
  }

  /// A library with its owner.
  fileprivate var library: SharedLibrary? {
    guard let id = bytes(0).flatMap(SharedLibraryID.init), let name = text(1),
      let size = number(4), let state = state(from: 5)
    else { return nil }
    return SharedLibrary(
      id: id,
      name: name,
      owner: hub(2),
      wanted: hub(3),
      bytes: size,
      state: state,
      hub: logHub(from: 13)
    )
  }
}
