import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A library with a log, to which everything happens that can happen to one, as a seed has it.
final class LoggedLife {
  let library: TemporaryLibrary
  let log: MemoryCommitLog
  /// The library as it was before its first entry.
  private let beginning: TemporaryLibrary
  private(set) var store: ChangeStore
  private let clock = ManualClock()
  private var random: SeededRandom
  private let script: EditScript
  private var waiting: [[UInt8]]
  private var grants: [String] = []
  private var codes: [[UInt8]] = []
  private var pageCodes: [[UInt8]] = []
  private var members: [Member] = []
  private var logins: [Login] = []
  private var long: LongAction?
  /// The names of what was done, for whoever reads a failure.
  private(set) var done: [String: Int] = [:]

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    library = try TemporaryLibrary(inMemory: ())
    // Each draws from a source of its own: from equal ones come equal ids for what is not the same.
    script = try EditScript(seed: random.next())
    waiting = script.changes + (try script.foreseen(seed: random.next(), dropsFalsely: false))
    waiting.shuffle(using: &random)
    log = MemoryCommitLog()
    // A library without a log becomes one with a log, as the first image has it.
    do {
      let plain = try ChangeStore(
        writing: library.folder,
        random: SeededRandom(seed: random.next())
      )
      let id = try plain.makePalette(named: "First")
      try plain.rename(id, to: "Begun")
    }
    do {
      let connection = try library.folder.openCache(newestVersion: LibrarySchema.current.version)
      try connection.setLocal(.position, CachePosition.start.bytes)
    }
    beginning = try TemporaryLibrary(inMemory: ())
    try Self.copy(library, to: beginning)
    store = try Self.opened(library, log, random.next(), clock)
  }

  private static func opened(
    _ library: TemporaryLibrary,
    _ log: MemoryCommitLog,
    _ seed: UInt64,
    _ clock: ManualClock
  ) throws -> ChangeStore {
    try ChangeStore(
      caching: library.folder,
      log: log,
      random: SeededRandom(seed: seed),
      milliseconds: { clock.milliseconds }
    )
  }

  private static func copy(_ library: TemporaryLibrary, to other: TemporaryLibrary) throws {
    try other.folder.create()
    try run("/bin/cp", library.folder.databasePath, other.folder.databasePath)
  }

  /// Makes a cache that stands before the first entry.
  func copyBeginning(to other: TemporaryLibrary) throws { try Self.copy(beginning, to: other) }

  /// Closes the library; what happens from now on happens to another one.
  func close() throws {
    let elsewhere = try TemporaryLibrary(inMemory: ())
    store = try ChangeStore(writing: elsewhere.folder)
  }

  /// Closes the library and opens it again; what was begun is taken back.
  func reopen() throws {
    try close()
    store = try Self.opened(library, log, random.next(), clock)
    long = nil
  }

  private var palettes: [PaletteID] {
    get throws { try store.palettes().map(\.id) }
  }

  private func anyPalette() throws -> PaletteID {
    try palettes.randomElement(using: &random) ?? store.makePalette(named: "P")
  }

  private func text() -> String { "n\(Int.random(in: 0..<50, using: &random))" }
  private func secret() -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  private func colors(_ count: Int) -> [NamedColor] {
    (0..<count).map { _ in
      NamedColor(
        id: RecordID(using: &random),
        name: text(),
        color: Color(red8: UInt8.random(in: 0...255, using: &random), green8: 0, blue8: 0)
      )
    }
  }

  /// Does one thing, now and then while the log takes nothing.
  func step() throws {
    clock.milliseconds += Int64.random(in: 0..<200_000, using: &random)
    log.refusal = random.chance(0.05) ? StoreError(code: .failed, message: "away") : nil
    defer { log.refusal = nil }
    let steps: [(String, () throws -> Void)] = [
      ("edit", edit), ("edit", edit), ("group", group), ("import", importColors),
      ("undo", undo), ("merge", merge), ("merge", merge), ("snapshot", mergeSnapshot),
      ("compact", compact), ("member", changeMembers), ("admit", admit), ("page", redeemPage),
      ("revoke", revoke), ("binding", bind), ("named", remember), ("settings", changeSettings),
      ("node", changeNode), ("rollback", comeBackFromOutside), ("reissue", reissue),
      ("local", changeLocal), ("long", continueLongAction), ("tidy", tidy),
      ("palette", changePalette),
    ]
    guard let (name, step) = steps.randomElement(using: &random) else { return }
    do {
      try step()
      done[name, default: 0] += 1
    } catch let error as StoreError where log.refusal != nil && error.message == "away" {
      done["refused", default: 0] += 1
      // Whoever wrote a part that was refused begins again.
      long = nil
    }
  }

  private func act(
    _ palette: PaletteID,
    by author: AuthorID = .library,
    _ body: (PaletteWriter) throws(StoreError) -> Void
  ) throws(StoreError) {
    try store.write(as: author) { transaction throws(StoreError) in
      try body(try transaction.palette(beginning: palette))
    }
  }

  private func edit() throws {
    let palette = try anyPalette()
    let author = members.randomElement(using: &random).map { AuthorID($0.id) }
    let known = try store.colors(of: palette).map(\.color.id)
    let record = known.randomElement(using: &random)
    let (name, added) = (RegisterValue(text: text()), colors(2))
    let choice = Int.random(in: 0..<4, using: &random)
    var edits: [Edit] = []
    if let record {
      edits =
        [[.delete(record)], [.set(record, [.note: name])], [.set(record, [.name: name])], []][
          choice
        ]
    }
    try act(palette, by: random.chance(0.5) ? author ?? .library : .library) {
      writer throws(StoreError) in
      _ = try writer.act(edits.isEmpty ? try writer.appending(added) : edits)
    }
    // The first question about a position in a long list makes an index with the next commit.
    if let record { _ = try store.index(of: record, in: palette) }
  }

  private func group() throws {
    var failure: (any Error)?
    try store.group {
      do {
        for _ in 0..<3 { try edit() }
        try merge()
        // One that fails leaves nothing, and the others stay.
        _ = try? store.write { _ throws(StoreError) in
          try store.database.execute("DELETE FROM moment WHERE arrival >= 0")
          throw StoreError(code: .failed, message: "given up")
        }
        try edit()
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func importColors() throws {
    let palette = try anyPalette()
    let list = try store.colors(of: palette).map(\.color)
    let kept = list.filter { _ in random.chance(0.8) }
    let added = colors(Int.random(in: 20..<400, using: &random))
    try store.commit(PaletteDiff(from: list, to: kept + added), to: palette)
  }

  private func undo() throws {
    let palette = try anyPalette()
    let redoes = random.chance(0.4)
    let author = members.randomElement(using: &random).map { AuthorID($0.id) } ?? .library
    try act(palette, by: random.chance(0.3) ? author : .library) { writer throws(StoreError) in
      _ = redoes ? try ActionUndo(in: writer).redo() : try ActionUndo(in: writer).undo()
    }
  }

  private func merge() throws {
    let batch = Array(waiting.prefix(Int.random(in: 1...9, using: &random)))
    try store.merge(batch, into: script.palette)
    waiting.shuffle(using: &random)
  }

  private func mergeSnapshot() throws {
    guard let node = script.nodes.randomElement(using: &random) else { return }
    _ = try store.merge(node.snapshot, into: script.palette)
  }

  private func compact() throws {
    for palette in try palettes where random.chance(0.5) {
      let before = clock.milliseconds - Int64.random(in: 0..<1_000_000, using: &random)
      _ = try store.compact(palette, beforeMilliseconds: before)
    }
  }

  private func changePalette() throws {
    let palette = try anyPalette()
    switch Int.random(in: 0..<3, using: &random) {
    case 0: _ = try store.makePalette(named: text())
    case 1: try store.rename(palette, to: text())
    default: try act(palette) { writer throws(StoreError) in _ = try writer.author(.drop(palette)) }
    }
  }

  private func changeMembers() throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let code = secret()
      grants.append(
        try store.members.offer(Grant(.editor), code: code, codeExpiresMilliseconds: nil)
      )
      if random.chance(0.5) { codes.append(code) } else { pageCodes.append(code) }
    case 1:
      let made = try store.members.makeMember(.script, secret: secret(), grant: Grant(.editor))
      members.append(made.member)
      grants.append(made.grant)
    case 2:
      guard let member = members.randomElement(using: &random) else { return }
      try store.members.rename(member.id, to: text())
    case 3:
      for member in members {
        if let found = try store.members.member(member.id) { try store.members.recordSeen(found) }
      }
    case 4:
      guard let member = members.randomElement(using: &random) else { return }
      try store.members.written.add([member.id: 100])
    default: try store.members.written.recount()
    }
  }

  private func admit() throws {
    if let login = logins.randomElement(using: &random), random.chance(0.5) {
      _ = try store.admission.admit(login)
      return
    }
    let login = Login(
      secret: secret(),
      code: codes.popLast() ?? secret(),
      library: RecordID(using: &random),
      name: text(),
      node: NodeID(using: &random)
    )
    if case .success = try store.admission.admit(login) { logins.append(login) }
  }

  private func redeemPage() throws {
    guard let code = pageCodes.popLast() else { return }
    let fresh = secret()
    guard case .success(let member) = try store.admission.redeem(pageCode: code, fresh: fresh)
    else { return }
    members.append(member)
    guard case .success(let caller) = try store.members.caller(secret: fresh) else { return }
    try store.members.recordSeen(caller.member)
  }

  private func revoke() throws {
    if random.chance(0.3), let member = members.randomElement(using: &random) {
      return try store.members.giveBack(nil, by: member.id)
    }
    guard let grant = grants.randomElement(using: &random) else { return }
    _ = try store.members.revokeGrant(grant)
  }

  private func bind() throws {
    let binding = (node: NodeID(using: &random), library: RecordID(using: &random))
    try store.bindings.learn([binding])
  }

  private func remember() throws {
    let answer = try store.remember(RecordID(using: &random), by: .library) {
      try edit()
      return [1, 2, 3]
    }
    #expect(answer == [1, 2, 3])
  }

  private func changeSettings() throws {
    try store.keep(clockOffsetMilliseconds: Int64.random(in: 0..<5, using: &random))
    try store.beginOffering()
    if random.chance(0.5) { try store.endOffering() }
  }

  private func changeNode() throws { try store.adoptNewNode() }

  /// A change of this library's present id comes back from where it was not forgotten.
  private func comeBackFromOutside() throws {
    let palette = script.palette
    guard let held = try store.frontier(of: palette)[store.node] else { return }
    var other = PaletteState(palette)
    for bytes in try store.changes(of: palette, after: [:]) ?? [] { _ = try? other.merge(bytes) }
    guard other.frontier[store.node]?.sequence == held.sequence else { return }
    let edit = Edit.set(palette.record, [.name: RegisterValue(text: text())])
    let bytes = try other.author(edit, by: store.node, at: Stamp(milliseconds: 7))
    try store.merge([bytes], into: palette)
  }

  private func reissue() throws {
    let shift = StampShift(milliseconds: 1_000, nowMilliseconds: clock.milliseconds)
    _ = try store.reissue(try store.restamping(shift))
  }

  private func changeLocal() throws {
    let url = "ws://127.0.0.1:7300"
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      try store.peers.save(
        StoredPeer(url: url, addresses: [url], grants: [Grant(.editor)], name: "hub")
      )
    case 1: _ = try store.peers.remove(url)
    default:
      let link = StoredLink(file: "/\(text()).gpl", palette: script.palette, format: "gpl")
      try store.links.save(link)
    }
  }

  private func continueLongAction() throws {
    let palette = try anyPalette()
    if long == nil {
      let old = try store.colors(of: palette)
      let diff = try PaletteDiff(from: old.map(\.color), to: old.map(\.color) + colors(30))
      long = LongAction(diff, on: old, makesPalette: false)
      longPalette = palette
    }
    guard var next = long, let longPalette else { return }
    let left = next.left
    try act(longPalette) { writer throws(StoreError) in
      try next.write(in: writer, atMost: left > 10 ? 10 : nil)
    }
    long = left > 10 ? next : nil
  }
  private var longPalette: PaletteID?

  private func tidy() throws { _ = try store.tidy() }
}

extension MemoryCommitLog {
  /// The entries as a reader of the log gets them.
  var logEntries: [LogEntry] {
    entries.map { LogEntry(position: $0.position, content: $0.changes) }
  }
}

extension DatabaseConnection {
  /// The rows of all recorded tables, each as text, in the order of their keys.
  func recordedRows() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    // Named once more: who says that another table is local says so here too.
    let local = ["link", "local", "peer", "peerGrant", "stated"]
    for table in TableScope.tables.keys where !local.contains(table) {
      var columns: [String] = []
      try prepare("SELECT name FROM pragma_table_info('\(table)')").rows {
        columns.append($0.text(0))
      }
      let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      var rows: [String] = []
      try prepare("SELECT \(row) FROM \(table)").rows { rows.append($0.text(0)) }
      found[table] = rows.sorted()
    }
    return found
  }
}
