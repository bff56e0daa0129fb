import Foundation
import PaletteFleet
import PaletteMerge
import PaletteModel
import PaletteNode
import PalettePeers
import PaletteStore
import PaletteTestSupport
import Testing

/// A fleet of three hubs with two libraries over a log in memory, and everything that goes wrong there, as a seed
/// has it.
final class FleetWorld {
  /// A library as its clients know it.
  struct Known {
    let name: String
    var acknowledged: Set<String> = []
    var attempted: Set<String> = []
  }

  static let hubs = 3
  let database = MemoryDatabase()
  var random: SeededRandom
  private(set) var now = 1_000.0
  private(set) var libraries = [Known(name: "one"), Known(name: "two")]
  private(set) var hubs: [SimulatedHub?] = [nil, nil, nil]
  /// The number of edits that were acknowledged, and of reads that were answered.
  private(set) var counts = (edits: 0, reads: 0, jumps: 0, told: 0)
  private let folder: TemporaryLibrary
  private let seed: UInt64
  private let limits: LogLimits
  private var lines: [String] = []
  private var number = 0
  private var backAt = 0.0
  private var restarts = [0.0, 0.0, 0.0]
  private var hasYesterday = [false, false, false]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededRandom(seed: seed)
    folder = try TemporaryLibrary(inMemory: ())
    var limits = LogLimits()
    limits.leastGrowth = 4_000
    limits.longestContent = 1_500
    self.limits = limits
    try folder.folder.create()
    for library in libraries {
      let made = try TemporaryLibrary(inMemory: ())
      let store = try ChangeStore(writing: made.folder, random: random)
      _ = try store.makePalette(named: "Colors")
      let image = made.folder.file("image")
      try FleetFixture.publish(store, as: library.name, to: MemoryLog(database), image: image)
    }
    for index in hubs.indices { start(index) }
  }

  /// A connection to the database.
  func makeLog() -> MemoryLog { MemoryLog(database) }

  /// Writes a line for whoever reads a failure.
  func trace(_ line: String) { lines.append("\(Int((now - 1_000) * 1_000)) \(line)") }

  /// The end of what happened, for whoever reads a failure.
  var story: String { "replay with seed \(seed)\n\(lines.suffix(60).joined(separator: "\n"))" }

  private var comment: Comment { Comment(rawValue: story) }

  // MARK: Hubs

  private func caches(_ index: Int) -> String { folder.folder.file("hub\(index)") }

  private func start(_ index: Int) {
    trace("start \(index)")
    hubs[index] = SimulatedHub(index, in: self, caches: caches(index), limits: limits)
  }

  private func kill(_ index: Int) {
    guard let hub = hubs[index] else { return }
    trace("kill \(index)")
    counts.told += hub.told.count { $0 == .lostTail }
    hub.kill()
    hubs[index] = nil
    restarts[index] = now + Double(random.below(12))
  }

  /// The hubs that are running and do not stand still.
  private var awake: [SimulatedHub] { hubs.compactMap { $0 }.filter { $0.frozenUntil <= now } }

  // MARK: Time

  /// Lets time pass, in which hubs and clients do what they do.
  func run(seconds: Double, faults: Double, actions: Double = 0.08) throws {
    let end = now + seconds
    var (nextFault, nextAction) = (now + faults, now + actions)
    while now < end {
      let event = hubs.compactMap { hub in hub?.next.map { (hub, $0) } }.min { $0.1 < $1.1 }
      let time = min(event?.1 ?? end, nextFault, nextAction, end)
      now = max(now, time)
      for index in hubs.indices where hubs[index] == nil && restarts[index] <= now { start(index) }
      if now >= backAt { database.isAway = false }
      try thaw()
      if now >= nextFault {
        nextFault = now + faults * Double(random.below(200)) / 100
        try fail()
      } else if now >= nextAction {
        nextAction = now + actions * Double(random.below(200)) / 100
        try act()
      } else if let (hub, time) = event, time <= now {
        hub?.step()
      }
    }
  }

  /// Has hubs that stood still go on: what their clients have asked meanwhile is read before anything else.
  private func thaw() throws {
    for hub in hubs.compactMap({ $0 }) where hub.frozenUntil > 0 && hub.frozenUntil <= now {
      hub.frozenUntil = 0
      for library in libraries.indices {
        if let store = store(library, at: hub) { try check(library, store) }
      }
    }
  }

  // MARK: Clients

  private func act() throws {
    guard let hub = awake.randomElement(using: &random) else { return }
    let library = random.below(libraries.count)
    guard let store = store(library, at: hub) else { return }
    switch random.below(12) {
    case 0..<3: try check(library, store)
    case 3: edit(library, store, count: 40)
    default: edit(library, store, count: 1)
    }
  }

  /// The store from which a hub answers for a library now; nil where it does not.
  private func store(_ library: Int, at hub: SimulatedHub) -> ChangeStore? {
    key(library, at: hub).flatMap { hub.stores[$0] }
  }

  /// The room in which a hub answers for a library now; nil where it does not.
  private func key(_ library: Int, at hub: SimulatedHub) -> RoomKey? {
    number += 1
    guard let directory = hub.directory,
      case .here(let key) = directory.find(libraries[library].name, for: "client\(number)"),
      directory.mayAnswer(key)
    else { return nil }
    return key
  }

  @discardableResult
  private func edit(_ library: Int, _ store: ChangeStore, count: Int) -> Bool {
    number += 1
    let names = (0..<count).map { "\(number).\($0)" }
    libraries[library].attempted.formUnion(names)
    do {
      guard let palette = try store.palettes().first?.id else { return false }
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return }
        let colors = names.map { NamedColor(name: $0, color: Color(.srgb, 1, 0, 0)) }
        try writer.act(try writer.appending(colors))
      }
      libraries[library].acknowledged.formUnion(names)
      counts.edits += 1
      return true
    } catch {
      if count > 1 { counts.jumps += 1 }
      trace("\(libraries[library].name) \(number) not taken: \(error)")
      return false
    }
  }

  /// Has somebody show an edit that an open library made and has forgotten.
  ///
  /// - Returns: The hub that has the library open.
  func showForgotten() throws -> SimulatedHub {
    for hub in awake {
      for library in libraries.indices {
        guard let store = store(library, at: hub), let palette = try store.palettes().first?.id,
          let head = try store.frontier(of: palette)[store.node]
        else { continue }
        let forgotten = Change(
          dot: Dot(store.node, head.sequence + 1),
          stamp: Stamp(milliseconds: 5),
          previous: head.link,
          record: palette.record,
          kind: .set,
          writes: [.init(.note, value: RegisterValue(text: "forgotten"))]
        )
        try store.merge([forgotten.encoded], into: palette)
        return hub
      }
    }
    throw SharedLogError(.notDone, .away, "no library is open where it was edited")
  }

  /// Checks that whoever reads a library sees each acknowledged edit, and none twice.
  private func check(_ library: Int, _ store: ChangeStore) throws {
    counts.reads += 1
    let names = try store.palettes().flatMap { try store.colors(of: $0.id).map(\.color.name) }
    let (known, seen) = (libraries[library], Set(names))
    let missing = known.acknowledged.subtracting(seen)
    #expect(missing.isEmpty, "\(known.name) lacks \(missing.sorted()), \(comment)")
    #expect(seen.count == names.count, "\(known.name) has edits twice, \(comment)")
    #expect(seen.isSubset(of: known.attempted), comment)
  }

  // MARK: Faults

  private func fail() throws {
    let index = random.below(Self.hubs)
    switch random.below(15) {
    case 0, 1: kill(index)
    case 2: try spoil(index)
    case 3:
      hubs[index]?.frozenUntil = now + Double(random.below(15))
      trace("freeze \(index)")
    case 4:
      database.isAway = true
      backAt = now + Double(random.below(8))
      trace("database away")
    case 5: database.deliverLate()
    case 6...10:
      let faults: [MemoryFault] = [.unheard, .late, .lost, .refused(.full), .refused(.busy)]
      guard let hub = hubs[index], let fault = faults.randomElement(using: &random) else { return }
      [hub.logs.append, hub.logs.append, hub.logs.work, hub.logs.beat]
        .randomElement(using: &random)?.fail(fault)
      trace("\(fault) at \(index)")
    case 11: try keepYesterday(index)
    case 12:
      trace("idle \(index)")
      guard let hub = hubs[index], hub.frozenUntil <= now else { return }
      if let key = hub.stores.keys.min(by: { "\($0)" < "\($1)" }) { hub.closeIdle(key) }
    case 13:
      // Under a hub that has them open.
      trace("remove caches of \(index)")
      try? FileManager.default.removeItem(atPath: caches(index))
    default: drain(index)
    }
  }

  private func drain(_ index: Int) {
    guard let hub = hubs[index], hub.frozenUntil <= now else { return }
    trace("drain \(index)")
    hub.directory?.drain { [unowned self, unowned hub] in
      // Within one of its own events.
      hub.schedule(after: .zero) { [unowned self] in kill(index) }
    }
  }

  /// Copies a hub's caches, for a later day.
  private func keepYesterday(_ index: Int) throws {
    let (here, there) = (caches(index), caches(index) + ".yesterday")
    guard FileManager.default.fileExists(atPath: here) else { return }
    try? FileManager.default.removeItem(atPath: there)
    hasYesterday[index] = (try? FileManager.default.copyItem(atPath: here, toPath: there)) != nil
  }

  /// Ends a hub, and removes its caches or puts those of yesterday in their place.
  private func spoil(_ index: Int) throws {
    kill(index)
    try? FileManager.default.removeItem(atPath: caches(index))
    guard hasYesterday[index], random.chance(0.5) else { return trace("caches of \(index) gone") }
    hasYesterday[index] = false
    trace("yesterday at \(index)")
    try FileManager.default.moveItem(
      atPath: caches(index) + ".yesterday",
      toPath: caches(index)
    )
  }

  /// Loses what the database took in some seconds, as the promotion of an asynchronous standby does.
  ///
  /// - Returns: Whether the owner of each library goes on, which then gives the loss back.
  func loseTail(seconds: Double) throws {
    let backup = database.backup
    let before = libraries.map(\.acknowledged)
    let owners = try rows()
    try run(seconds: seconds, faults: .infinity)
    let ends = try rows()
    database.loseTail(after: backup)
    trace("lost tail")
    if random.chance(0.5) {
      database.isAway = true
      backAt = now + Double(random.below(9))
    }
    for index in libraries.indices {
      let isSame = owners[index] == ends[index]
      let owner = hubs.compactMap { $0 }.first { isSame && $0.id == owners[index].owner }
      guard let owner, let key = key(index, at: owner), let store = owner.stores[key] else {
        // Nobody has it any more but for the clients.
        libraries[index].acknowledged = before[index]
        continue
      }
      let lost = libraries[index].acknowledged.subtracting(before[index])
      guard !lost.isEmpty else { continue }
      trace("\(libraries[index].name) is to be given back by its owner")
      // It learns of it by an edit, or when it lets go.
      if random.chance(0.5) {
        owner.closeIdle(key)
      } else {
        #expect(!edit(index, store, count: 1), comment)
      }
    }
  }

  private struct Owner: Equatable {
    let owner: HubID?
    let epoch: Int64
  }

  private func rows() throws -> [Owner] {
    try libraries.map { library in
      let row = try #require(try makeLog().look(library.name))
      return Owner(owner: row.owner, epoch: row.state.epoch)
    }
  }

  // MARK: The end

  /// Ends all faults, and checks each library at one hub after another.
  func finish() throws {
    database.isAway = false
    (backAt, restarts) = (now, [now, now, now])
    for hub in hubs { hub?.frozenUntil = now }
    database.deliverLate()
    try run(seconds: 20, faults: .infinity, actions: 0.5)
    var digests: [Digest] = []
    for index in hubs.indices {
      for library in libraries.indices {
        let digest = try open(library, at: index)
        if index == 0 { digests.append(digest) }
        #expect(digest == digests[library], comment)
      }
      kill(index)
      restarts[index] = .infinity
    }
  }

  /// Waits until a hub serves a library, and checks it there.
  private func open(_ library: Int, at index: Int) throws -> Digest {
    let end = now + 400
    while now < end {
      if let hub = hubs[index], let store = store(library, at: hub) {
        try check(library, store)
        #expect(try store.verify().isEmpty, comment)
        return try store.digest()
      }
      try run(seconds: 0.5, faults: .infinity, actions: .infinity)
    }
    Issue.record("hub \(index) does not serve \(libraries[library].name), \(comment)")
    throw SharedLogError(.notDone, .away, "not served")
  }
}
