import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

/// A few libraries with sessions between them, driven one event at a time from a seed.
final class SessionFleet {
  /// One direction of a connection, with the frames under way.
  private struct Link {
    var session: SyncSession
    var owner: Int
    var peer: Int
    var inbox: [[UInt8]] = []
    var waiting: [SyncEvent] = []
    var isOpen = true
  }

  let libraries: [MemoryLibrary]
  private(set) var closeReasons: [String] = []
  private(set) var caughtUp = 0
  /// How many snapshots came packed.
  private(set) var packedSnapshots = 0
  private(set) var diverged = 0
  /// What every hello says that its sender can do; nil for all that this version can.
  var features: [String]?
  /// How many changes arrived, and how many frames of them were packed.
  private(set) var arrivals = 0
  private(set) var packedFrames = 0
  /// How many palettes came whole, in how many frames, and how many frontiers were stated.
  private(set) var wholePalettes = 0
  private(set) var wholeFrames = 0
  private(set) var frontierFrames = 0
  /// How often a session let others have their turn.
  private(set) var pauses = 0
  private(set) var framesSent = 0
  private(set) var nacks: [String] = []
  /// What the peers said they hold, for each library.
  private(set) var stated: [Int: [PaletteID: Frontier]] = [:]
  /// What sessions found out about forks of their own changes.
  private(set) var reissues: [(owner: Int, node: NodeID, after: UInt32)] = []
  private var links: [Link] = []
  private var random: SeededRandom
  private var admitted: [Int: GrantedAccess] = [:]

  init(count: Int, seed: UInt64) {
    random = SeededRandom(seed: seed)
    libraries = (1...count).map { MemoryLibrary(NodeID(UInt64($0))) }
  }

  /// Connects two libraries; the first dials.
  func connect(
    _ dialer: Int,
    to acceptor: Int,
    role: Role = .relay,
    palette: PaletteID? = nil
  ) throws {
    let dialing = links.count
    let grants = [Grant(role, on: palette)]
    let credentials = SyncSession.Credentials(secret: [1], grants: grants)
    for (owner, side) in [(dialer, SyncSession.Side.dialer(credentials)), (acceptor, .acceptor)] {
      let session = SyncSession(
        side,
        node: libraries[owner].node,
        library: RecordID(high: 0, low: UInt64(owner))
      )
      links.append(
        Link(
          session: session,
          owner: owner,
          peer: owner == dialer ? dialing + 1 : dialing
        )
      )
    }
    admitted[dialing + 1] = GrantedAccess(grants: grants, nodes: libraries[dialer].ownNodes)
    try handle(.opened, at: dialing)
    try handle(.opened, at: dialing + 1)
  }

  /// Forgets what peers said they hold.
  func forgetStatements() { stated = [:] }

  /// Cuts every connection; what was under way is lost.
  func cut() { links = [] }

  /// Edits at a library, and tells its sessions.
  func author(_ edit: Edit, in palette: PaletteID, at owner: Int, _ time: Int64) throws {
    let change = try libraries[owner].author(edit, in: palette, at: time)
    try announce([change], in: palette, from: owner, except: nil)
  }

  /// Delivers frames and answers in a random order until nothing is under way.
  func settle(limit: Int = 200_000) throws {
    for _ in 0..<limit {
      let busy = links.indices.filter {
        links[$0].isOpen && !(links[$0].inbox.isEmpty && links[$0].waiting.isEmpty)
      }
      guard let index = busy.randomElement(using: &random) else { return }
      try step(index)
    }
    struct Unsettled: Error {}
    throw Unsettled()
  }

  /// Delivers a few frames only.
  func run(steps: Int) throws {
    for _ in 0..<steps {
      let busy = links.indices.filter {
        links[$0].isOpen && !(links[$0].inbox.isEmpty && links[$0].waiting.isEmpty)
      }
      guard let index = busy.randomElement(using: &random) else { return }
      try step(index)
    }
  }

  /// Hands raw bytes to the last accepting session.
  func inject(_ bytes: [UInt8]) throws { try handle(.received(bytes), at: links.count - 1) }

  private func step(_ index: Int) throws {
    if !links[index].waiting.isEmpty, links[index].inbox.isEmpty || random.chance(0.5) {
      let event = links[index].waiting.removeFirst()
      try handle(event, at: index)
    } else {
      let frame = links[index].inbox.removeFirst()
      try handle(.received(frame), at: index)
    }
  }

  private func handle(_ event: SyncEvent, at index: Int) throws {
    let library = libraries[links[index].owner]
    for action in links[index].session.handle(event, library: library, milliseconds: 1000) {
      try carryOut(action, at: index, library)
    }
  }

  private func carryOut(_ action: SyncAction, at index: Int, _ library: MemoryLibrary) throws {
    switch action {
    case .sendShared(let frames):
      for frame in frames.frames { try carryOut(.send(frame), at: index, library) }
    case .send(let frame):
      framesSent += 1
      links[links[index].peer].inbox.append(try translated(frame))
    case .authenticate:
      if let admitted = admitted[index] { links[index].waiting.append(.accepted(admitted)) }
    case .merge(let arrived):
      var merged: [MergedChanges] = []
      for part in arrived {
        arrivals += part.changes.count
        let results = part.changes.map { library.merge($0, in: part.palette) }
        merged.append(MergedChanges(palette: part.palette, results: results.map(\.0)))
        let new = results.compactMap(\.1)
        try announce(new, in: part.palette, from: links[index].owner, except: index)
      }
      links[index].waiting.append(.merged(merged))
    case .pushOn:
      pauses += 1
      links[index].waiting.append(.pushDue)
    case .mergeSnapshot(let palette, let snapshot):
      try merge(snapshot, palette, library, index)
    case .mergeStaged(let palette, let staged):
      packedSnapshots += 1
      try merge(Snapshot(staged), palette, library, index)
    case .caughtUp: caughtUp += 1
    case .diverged: diverged += 1
    case .refusedByPeer(_, _, let code, _): nacks.append(code)
    case .reissue(_, let node, let sequence, _):
      reissues.append((links[index].owner, node, sequence))
    case .close(let code, let reason):
      links[index].isOpen = false
      closeReasons.append("\(code.rawValue) \(reason)")
    case .equal(let differing):
      let held = library.states.filter { !differing.contains($0.key) }
      for palette in held.keys {
        stated[links[index].owner, default: [:]][palette] = library.frontier(of: palette)
      }
    case .stated(let palette, let frontier, let isWhole):
      let known = isWhole ? [:] : stated[links[index].owner]?[palette] ?? [:]
      stated[links[index].owner, default: [:]][palette] = known.merging(frontier) { $1 }
    case .established, .forked, .refusedHere, .clock, .presence, .oldHistory, .retryAfter, .refused,
      .withheld, .findSecret, .bindings, .givenBack, .overBudget:
      break
    }
  }

  private func translated(_ frame: [UInt8]) throws -> [UInt8] {
    switch try Frame(decoding: frame) {
    case .hello(var hello):
      hello.features = features ?? hello.features
      return Frame.hello(hello).encoded
    case .packedChanges:
      packedFrames += 1
      return frame
    case .whole(let whole):
      wholePalettes += whole.entries.count
      wholeFrames += 1
      return frame
    case .frontier:
      frontierFrames += 1
      return frame
    default:
      return frame
    }
  }

  private func merge(
    _ snapshot: Snapshot,
    _ palette: PaletteID,
    _ library: MemoryLibrary,
    _ index: Int
  ) throws {
    var state = library.states[palette] ?? PaletteState(palette)
    var refusal: Refusal?
    do throws(Refusal) {
      try state.merge(snapshot)
      library.states[palette] = state
      library.compacted.insert(palette)
    } catch {
      refusal = error
    }
    let contradicted = snapshot.rows.lazy.compactMap { row in
      (try? Change(decoding: row.bytes, in: palette)).map { ($0.dot, row.bytes) }
    }.first { dot, bytes in state.log[dot].map { $0 != bytes } ?? false }
    links[index].waiting.append(
      .mergedSnapshot(palette, refusal.map { SnapshotRefusal($0, at: contradicted?.0) })
    )
    guard refusal == nil else { return }
    let owner = links[index].owner
    for other in links.indices
    where links[other].isOpen && links[other].owner == owner && other != index {
      try handle(.rebuilt(palette), at: other)
    }
  }

  private func announce(
    _ changes: [OutgoingChange],
    in palette: PaletteID,
    from owner: Int,
    except source: Int?
  ) throws {
    guard !changes.isEmpty else { return }
    let batch = OutgoingBatch(changes, in: palette)
    for index in links.indices
    where links[index].isOpen && links[index].owner == owner && index != source {
      try handle(.committed(palette, batch), at: index)
    }
  }
}
