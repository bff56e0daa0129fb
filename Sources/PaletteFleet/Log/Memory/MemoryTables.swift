import PaletteStore

/// The tables of a shared log in memory, and the meaning of each statement.
struct MemoryTables: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let name: String
    var owner: HubID?
    var wanted: HubID?
    var bytes: Int64 = 0
    var state: LogState
  }

  struct ImagePart: Hashable {
    let library: SharedLibraryID
    let number: Int64
    let epoch: Int64
    let part: Int
  }

  private(set) var hubs: [HubID: LogHub] = [:]
  private(set) var libraries: [SharedLibraryID: Row] = [:]
  private var entries: [SharedLibraryID: [LogEntry]] = [:]
  private var parts: [ImagePart: [UInt8]] = [:]

  // MARK: Hubs

  mutating func register(_ hub: LogHub) { hubs[hub.id] = hub }

  mutating func bury(_ hub: HubID) { hubs[hub]?.isDead = true }

  mutating func forgetDead() { hubs = hubs.filter { !$0.value.isDead } }

  mutating func beat(_ hub: HubID) -> BeatAnswer? {
    guard var row = hubs[hub], !row.isDead else { return nil }
    row.beat += 1
    hubs[hub] = row
    return BeatAnswer(
      beat: row.beat,
      owned: libraries.filter { $0.value.owner == hub }
        .mapValues { BeatAnswer.Owned(epoch: $0.state.epoch, wanted: $0.wanted) },
      beats: hubs.filter { !$0.value.isDead }.mapValues(\.beat)
    )
  }

  // MARK: Libraries

  mutating func create(_ id: SharedLibraryID, named name: String, schema: Int) -> Bool {
    guard !libraries.values.contains(where: { $0.name == name }) else { return false }
    let hash = CachePosition.start.hash
    let state = LogState(epoch: 0, schema: schema, head: 0, hash: hash, image: nil)
    libraries[id] = Row(name: name, state: state)
    return true
  }

  func library(_ id: SharedLibraryID) -> SharedLibrary? {
    libraries[id].map { row in
      SharedLibrary(
        id: id,
        name: row.name,
        owner: row.owner,
        wanted: row.wanted,
        bytes: row.bytes,
        state: row.state,
        hub: row.owner.flatMap { hubs[$0] }
      )
    }
  }

  mutating func drop(_ library: SharedLibraryID) -> Bool {
    entries[library] = nil
    parts = parts.filter { $0.key.library != library }
    return libraries.removeValue(forKey: library) != nil
  }

  // MARK: Owning

  mutating func want(_ library: SharedLibrary, for hub: HubID) -> Bool {
    guard let row = libraries[library.id], row.owner == library.owner,
      row.state.epoch == library.state.epoch
    else { return false }
    libraries[library.id]?.wanted = hub
    return true
  }

  mutating func take(
    _ library: SharedLibrary,
    because reason: LogTaking,
    for hub: HubID,
    schema: Int
  ) -> LogState? {
    if case .stoodStill(let owner, let beat) = reason {
      guard hubs[owner]?.beat == beat else { return nil }
      bury(owner)
    }
    guard var row = libraries[library.id], row.owner == reason.owner,
      row.state.epoch == library.state.epoch, row.state.schema <= schema
    else { return nil }
    row.owner = hub
    row.wanted = nil
    row.state.epoch += 1
    libraries[library.id] = row
    return row.state
  }

  mutating func letGo(_ claim: LogClaim) -> Bool {
    guard var row = owned(claim) else { return false }
    row.owner = nil
    libraries[claim.library] = row
    return true
  }

  mutating func endDoubt(_ claim: LogClaim) -> LogState? {
    guard var row = owned(claim) else { return nil }
    row.state.epoch += 1
    libraries[claim.library] = row
    return row.state
  }

  // MARK: Entries

  mutating func append(_ entry: LogEntry, after hash: [UInt8], as claim: LogClaim) -> Bool {
    guard var row = end(entry, after: hash, as: claim) else { return false }
    row.bytes += Int64(entry.content?.count ?? 0)
    libraries[claim.library] = row
    entries[claim.library, default: []].append(entry)
    return true
  }

  func tail(of library: SharedLibraryID, after number: Int64) -> [LogEntry] {
    Array((entries[library] ?? []).filter { $0.position.number > number }.prefix(logTailEntries))
  }

  func growth(of library: SharedLibraryID) -> LogGrowth {
    let image = libraries[library]?.state.image
    let behind = (entries[library] ?? []).filter { $0.position.number > image?.number ?? 0 }
    let parts = parts.filter { part, _ in
      part.library == library && part.number == image?.number && part.epoch == image?.epoch
    }
    return LogGrowth(
      behind: behind.reduce(0) { $0 + Int64($1.content?.count ?? 0) },
      image: parts.values.reduce(0) { $0 + Int64($1.count) }
    )
  }

  // MARK: Images

  mutating func addPart(
    _ part: Int,
    of number: Int64,
    _ bytes: [UInt8],
    as claim: LogClaim
  ) -> Bool {
    guard owned(claim) != nil else { return false }
    let key = ImagePart(library: claim.library, number: number, epoch: claim.epoch, part: part)
    parts[key] = bytes
    return true
  }

  mutating func switchImage(to image: LogImage, as claim: LogClaim) -> Bool {
    guard var row = owned(claim), row.state.head >= image.number,
      row.state.image.map({ $0.number < image.number }) ?? true
    else { return false }
    row.state.image = image
    libraries[claim.library] = row
    return true
  }

  mutating func jump(
    _ entry: LogEntry,
    to image: LogImage,
    schema: Int,
    after hash: [UInt8],
    as claim: LogClaim
  ) -> Bool {
    let found = parts.keys.count {
      $0.library == claim.library && $0.number == image.number && $0.epoch == claim.epoch
    }
    guard found == image.parts, var row = end(entry, after: hash, as: claim) else { return false }
    row.state.schema = schema
    row.state.image = image
    libraries[claim.library] = row
    entries[claim.library, default: []].append(entry)
    return true
  }

  func part(_ part: Int, of image: LogImage, in library: SharedLibraryID) -> [UInt8]? {
    parts[ImagePart(library: library, number: image.number, epoch: image.epoch, part: part)]
  }

  mutating func prune(through number: Int64, as claim: LogClaim) {
    guard let image = owned(claim)?.state.image else { return }
    entries[claim.library]?.removeAll {
      $0.position.number <= number && $0.position.number < image.number
    }
  }

  mutating func sweep(as claim: LogClaim) {
    guard let row = owned(claim) else { return }
    parts = parts.filter { part, _ in
      part.library != claim.library
        || part.number == row.state.image?.number && part.epoch == row.state.image?.epoch
    }
  }

  /// The row of a library that is still owned under a claim.
  private func owned(_ claim: LogClaim) -> Row? {
    guard let row = libraries[claim.library], row.owner == claim.hub,
      row.state.epoch == claim.epoch
    else { return nil }
    return row
  }

  /// The row as it is with one more entry.
  private func end(_ entry: LogEntry, after hash: [UInt8], as claim: LogClaim) -> Row? {
    guard var row = owned(claim), row.state.head == entry.position.number - 1,
      row.state.hash == hash
    else { return nil }
    row.state.head = entry.position.number
    row.state.hash = entry.position.hash
    return row
  }
}

extension LogTaking {
  /// The owner that the library must still have.
  var owner: HubID? {
    switch self {
    case .free: nil
    case .stoodStill(let owner, beat: _): owner
    case .dead(let owner): owner
    }
  }
}
