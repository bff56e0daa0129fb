import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

@testable import PalettePeers
@testable import PaletteStore

extension FuzzTarget {
  static let node = FuzzTarget(
    name: "node",
    summary: "a library and its node, with a hub or a member that lies",
    lengthLimit: 4096,
    seeds: {
      let greetings: [Frame] = [
        .hello(
          Hello(
            features: SyncProtocol.features,
            node: NodeID(2),
            library: Examples.record,
            milliseconds: 1,
            secret: [UInt8](repeating: 5, count: 32),
            code: NodeUnderTest.secret,
            otherNodes: Examples.nodes
          )
        ),
        .welcome(
          Welcome(
            version: 1,
            node: NodeID(3),
            library: NodeUnderTest.hub,
            grants: [Grant(.viewer, on: Examples.palette)],
            milliseconds: 1,
            features: SyncProtocol.features
          )
        ),
      ]
      let conversations = [try conversation(), try wholeConversation(isFilled: false)]
      var seeds: [[UInt8]] = []
      for start in [0, 1, 2, 4, 6, 8] as [UInt8] {
        let greeting = greetings[start == 1 ? 1 : 0].encoded
        for rest in conversations { seeds.append([start] + .joining([greeting] + rest)) }
      }
      return seeds
    },
    check: { bytes in
      guard let start = bytes.first else { return }
      try NodeUnderTest(start).run(Array(bytes.dropFirst()).chunks)
    }
  )
}

/// The library of every run, in memory: it is made once, and put back to what it was.
///
/// To make its tables and to prepare its statements took longer than all that a run does.
private final class LibraryUnderTest {
  nonisolated(unsafe) static let shared = LibraryUnderTest()
  static let own = PaletteID(RecordID(high: 5, low: 5))

  private let library: TemporaryLibrary
  private let database: StoreDatabase
  private var restoring: [PreparedQueries.Box] = []

  private init() {
    do {
      library = try TemporaryLibrary(inMemory: ())
      let store = try ChangeStore(
        writing: library.folder,
        random: SeededRandom(seed: 1),
        milliseconds: { 1_700_000_000_000 }
      )
      database = store.database
      try Self.fill(store)
      var names: [String] = []
      try database.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'").rows {
        names.append($0.text(0))
      }
      // Nobody else has the library: locks were a sixth of a run. And nothing is to survive, while
      // another thread, which syncs, has to be waited for on a machine that does something else.
      try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF")
      try database.execute("PRAGMA temp_store = MEMORY")
      for name in names {
        try database.execute("CREATE TEMP TABLE first_\(name) AS SELECT * FROM main.\(name)")
      }
      for name in names {
        for sql in [
          "DELETE FROM main.\(name)", "INSERT INTO main.\(name) SELECT * FROM first_\(name)",
        ] { restoring.append(PreparedQueries.Box(try database.prepare(sql))) }
      }
    } catch {
      fatalError("no library: \(error)")
    }
  }

  /// A palette that is not shared, and one that is.
  private static func fill(_ store: ChangeStore) throws {
    try store.write { transaction throws(StoreError) in
      let own = try transaction.palette(beginning: Self.own)
      let name = RegisterValue(text: "own")
      _ = try own.act([.add(Self.own.record, [.name: name])])
      let color = RegisterValue(color: Color(.srgb, 0, 0, 1))
      let place = RegisterValue(placeBytes: [9])
      let values: KeyValuePairs<Register, RegisterValue> = [
        .name: name, .color: color, .place: place,
      ]
      _ = try own.act([.add(RecordID(high: 7, low: 8), values)])
      let palette = try transaction.palette(beginning: Examples.palette)
      _ = try palette.act([.add(RecordID(high: 7, low: 9), [.name: name, .note: name])])
    }
  }

  /// A store that knows nothing of the runs before.
  func store() throws -> ChangeStore {
    try database.connection.transaction { () throws(StoreError) in
      for box in restoring { try box.statement.run() }
    }
    // The first draws of the first seed are the library's ids.
    return try ChangeStore(library.folder, database, random: SeededRandom(seed: 3)) {
      1_700_000_000_000
    }
  }
}

/// A node whose library has a palette that it does not share, and a connection with a stranger.
private final class NodeUnderTest {
  static let secret = [UInt8](repeating: 3, count: 32)
  static let hub = RecordID(high: 3, low: 3)
  private static let own = LibraryUnderTest.own
  private static let link = PeerConnectionID(rawValue: 1)

  private let store: ChangeStore
  private let core: NodeCore
  private var isOpen = true
  private let isScoped: Bool

  /// The first byte chooses the side, and what the peer may do.
  init(_ start: UInt8) throws {
    store = try LibraryUnderTest.shared.store()
    core = try NodeCore(store, random: SeededRandom(seed: 2))
    if start & 1 == 1 {
      isScoped = true
      try join()
    } else {
      let role = Role.allCases[Int(start >> 1) % Role.allCases.count]
      isScoped = start & 8 == 0
      let grant = Grant(role, on: isScoped ? Examples.palette : nil)
      try store.members.offer(grant, code: Self.secret, codeExpiresMilliseconds: nil)
      try carryOut(core.handle(.accepted(Self.link)))
    }
  }

  private func join() throws {
    let ticket = JoinTicket(
      addresses: ["https://hub"],
      code: Self.secret,
      grant: Grant(.viewer, on: Examples.palette),
      library: Self.hub
    )
    _ = try core.handle(.joined(ticket))
    let url = core.peers.keys.first ?? ""
    _ = try core.handle(.tick)
    try carryOut(core.handle(.dialed(Self.link, url: url, address: url)))
  }

  func run(_ frames: [[UInt8]]) throws {
    let before = try contents(of: Self.own)
    for frame in frames where isOpen {
      try carryOut(core.handle(.received(Self.link, frame)))
      try carryOut(core.flush())
    }
    try carryOut(core.handle(.tick))
    if isOpen { try carryOut(core.handle(.closed(Self.link, code: 1006, reason: ""))) }
    try ensure(core.damage == nil, "the library counts as damaged: \(core.damage?.message ?? "")")
    if isScoped {
      try ensure(try contents(of: Self.own) == before, "a palette out of scope is another")
      let palettes = try store.palettes().map(\.id)
      let ours = [Self.own, Examples.palette]
      try ensure(palettes.allSatisfy(ours.contains), "a palette out of scope is there")
    }
    for palette in try store.palettes().map(\.id) { try read(palette) }
  }

  /// What a palette amounts to; a hub's clock may have its changes stamped and numbered anew.
  private func contents(of palette: PaletteID) throws -> [String] {
    let colors = try store.colors(of: palette).map { "\($0.color) \($0.place)" }
    return try [store.summary(of: palette)?.name ?? ""] + colors
  }

  /// Reads all that commands show of a palette.
  private func read(_ palette: PaletteID) throws {
    let problems = try store.verify(palette)
    try ensure(problems.isEmpty, "\(problems)")
    for change in try store.history(of: palette) {
      _ = try store.authors.claimedName(of: change.dot.node, in: palette)
      _ = try store.liveValues(of: change.record, in: palette)
    }
    _ = try store.names(of: palette, removed: true)
    _ = try store.restoringRemovals(of: palette)
    _ = try store.state(of: palette, atMilliseconds: 1_600_000_000_000)
    let colors = try store.colors(of: palette)
    try ensure(
      try store.summary(of: palette)?.count == colors.count,
      "the count of colors is another"
    )
    // What is there can be edited, removed and undone.
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      for color in colors.prefix(2) {
        _ = try writer.act([.set(color.color.id, [.name: RegisterValue(text: "mine")])])
        _ = try writer.act([.delete(color.color.id)])
        _ = try ActionUndo(in: writer).undo()
      }
    }
    try ensure(try store.verify(palette).isEmpty, "editing made it unsound")
  }

  private func carryOut(_ effects: [NodeEffect]) throws {
    for effect in effects {
      switch effect {
      case .send(_, let bytes): _ = try Frame(decoding: bytes)
      case .sendShared(_, let frames):
        for frame in frames.frames { _ = try Frame(decoding: frame) }
      case .close(Self.link, _, _): isOpen = false
      default: break
      }
    }
  }
}
