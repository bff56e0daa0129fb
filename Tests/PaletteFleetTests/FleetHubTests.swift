import PaletteClient
import PaletteCommands
import PaletteFleet
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteNode
import PaletteStore
import PaletteTestSupport
import Synchronization
import Testing

/// Hubs that serve the libraries of one log, and what becomes of these when a hub or the database fails.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
final class FleetHubTests {
  /// What hubs write into their logs.
  private final class Lines: Sendable {
    private let all = Mutex<[String]>([])

    func add(_ line: NodeLog) { all.withLock { $0.append(line.message) } }

    func contain(_ message: String) -> Bool { all.withLock { $0.contains(message) } }
  }

  /// The log that the hubs share.
  enum Backend: CaseIterable {
    case memory, postgreSQL

    /// PostgreSQL where it is installed.
    static let all: [Backend] = LocalPostgreSQL.programs == nil ? [.memory] : allCases
  }

  private let database = MemoryDatabase()
  /// The name of the database at the server.
  private var server: String?
  private var makeLog: () throws -> any SharedLog
  private let caches = try? TemporaryLibrary()
  private let secret = [UInt8](repeating: 7, count: 32)
  private var token: String { Secret.text(secret) }
  /// The lines of the hubs' logs.
  private let lines = Lines()

  init() throws {
    makeLog = { [database] in MemoryLog(database) }
  }

  /// Makes the library in a log.
  private func begin(_ backend: Backend = .memory) throws {
    if backend == .postgreSQL {
      let string = try LocalPostgreSQL.shared.get().newDatabase()
      server = string.split(separator: "=").last.map(String.init)
      let address = try PostgreSQLAddress(string)
      makeLog = { PostgreSQLLog(address) }
    }
    let made = try TemporaryLibrary()
    let store = try ChangeStore(writing: made.folder)
    let palette = try store.makePalette(named: "Brand")
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(
        try writer.appending([NamedColor(name: "First", color: Color(.srgb, 1, 1, 1))])
      )
    }
    try store.members.makeMember(.script, secret: secret, grant: Grant(.owner), name: "Ann")
    let log = try makeLog()
    try log.connect()
    try FleetFixture.publish(store, as: "brand", to: log, image: made.folder.path + "/image")
  }

  private func hub(
    _ name: String,
    in folder: String? = nil,
    limits: LogLimits = LogLimits()
  ) throws -> FleetHub {
    var node = NodeSettings()
    node.listen = try ListenAddress("127.0.0.1:0")
    node.log = { [lines] in lines.add($0) }
    let caches = try #require(caches).folder.path + "/" + (folder ?? name)
    var settings = FleetHub.Settings(name: name, machine: "here", caches: caches, node: node)
    settings.logLimits = limits
    return try FleetHub(settings, log: makeLog)
  }

  private func status(_ path: String, at hub: FleetHub, _ token: String? = nil) -> Int? {
    LoopbackHTTP.get(path, at: hub.url, token: token)?.status
  }

  private func eventually(seconds: Int = 180, _ isTrue: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + Duration.patiently(seconds: seconds)
    while ContinuousClock.now < deadline {
      if try isTrue() { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    // The wait may have been longer than was asked for.
    return try isTrue()
  }

  /// Waits until a hub serves the library.
  private func serves(_ hub: FleetHub) async throws -> Bool {
    try await eventually { status("/l/brand/p/Brand.css", at: hub, token) == 200 }
  }

  private func connect(_ hub: FleetHub) throws -> NodeConnection {
    let port = try #require(hub.url.split(separator: ":").last.flatMap { UInt16($0) })
    return try NodeConnection(port: port, path: "/l/brand/rpc", token: token)
  }

  private func add(_ name: String, to connection: NodeConnection) throws {
    let parameters: JSON = ["palette": "Brand", "value": "red", "name": JSON(name)]
    _ = try connection.call(Request(method: "add", parameters: parameters))
  }

  private func names(_ connection: NodeConnection) throws -> [String] {
    let answer = try connection.call(Request(method: "list", parameters: ["palette": "Brand"])).json
    return (answer["colors"].arrayValue ?? []).compactMap { $0["name"].stringValue }
  }

  @Test func whatALibraryOfAFleetDoesNotDoSaysWhatDoesIt() async throws {
    try begin()
    let hub = try hub("ann")
    defer { hub.end(because: "the test is over") }
    #expect(try await serves(hub))
    let connection = try connect(hub)
    for method in ["join", "leave", "sync", "backup", "compact"] {
      let error = #expect(throws: APIError.self) {
        try connection.call(Request(method: method))
      }
      #expect(error?.code == "not-here" && error?.hint != nil, "\(method)")
    }
  }

  @Test(arguments: Backend.all)
  func whatOneHubLetGoTheOtherServes(_ backend: Backend) async throws {
    try begin(backend)
    let (ann, bob) = (try hub("ann"), try hub("bob"))
    #expect(try await serves(ann))
    let connection = try connect(ann)
    try add("Edit", to: connection)
    ann.stop(because: "it is replaced")
    #expect(try await serves(bob))
    #expect(try names(connect(bob)) == ["First", "Edit"])
    bob.stop(because: "the test ends")
    // Its cache was closed as it should be.
    let again = try hub("bob")
    #expect(try await serves(again))
    #expect(try names(connect(again)) == ["First", "Edit"])
    again.stop(because: "the test ends")
  }

  @Test(arguments: Backend.all)
  func whatAHubHadThatIsGoneIsTakenOver(_ backend: Backend) async throws {
    try begin(backend)
    let (ann, bob) = (try hub("ann"), try hub("bob"))
    #expect(try await serves(ann))
    try add("Edit", to: try connect(ann))
    let before = LoopbackHTTP.get("/metrics", at: ann.url)?.text ?? ""
    let number = #/hued_fleet_library_appends_total{library="brand"} ([1-9][0-9]*)\n/#
    let appends = try #require(before.firstMatch(of: number)?.1)
    #expect(before.contains("hued_fleet_append_seconds_count \(appends)\n"))
    // Nobody is told, as when it is killed.
    ann.end(because: "it is killed", isBuried: false)
    #expect(try await serves(bob))
    #expect(try names(connect(bob)) == ["First", "Edit"])
    let text = LoopbackHTTP.get("/metrics", at: bob.url)?.text ?? ""
    #expect(text.contains("hued_fleet_taken_over_total 1\n"))
    bob.stop(because: "the test ends")
  }

  @Test func withoutTheDatabaseNothingIsAnsweredUntilItIsBack() async throws {
    try begin()
    let ann = try hub("ann")
    #expect(try await serves(ann))
    let connection = try connect(ann)
    database.isAway = true
    #expect(throws: APIError.self) { try add("Lost", to: connection) }
    #expect(try await eventually { status("/readyz", at: ann) == 503 })
    #expect(throws: APIError.self) { _ = try names(connection) }
    #expect(status("/l/brand/p/Brand.css", at: ann, token) == 503)
    #expect(status("/healthz", at: ann) == 200)
    database.isAway = false
    #expect(try await serves(ann))
    let again = try connect(ann)
    try add("Kept", to: again)
    #expect(try names(again) == ["First", "Kept"])
    ann.stop(because: "the test ends")
  }

  @Test func aHubThatWasDeclaredDeadBeginsAnew() async throws {
    try begin()
    let ann = try hub("ann")
    #expect(try await serves(ann))
    try add("Edit", to: try connect(ann))
    let log = MemoryLog(database)
    let first = try #require(try log.hubs().first?.id)
    try log.bury(first)
    #expect(try await eventually { try log.hubs().contains { $0.id != first } })
    #expect(try await serves(ann))
    #expect(try names(connect(ann)) == ["First", "Edit"])
    ann.stop(because: "the test ends")
  }

  @Test func anUnknownNameAnswersAsAWrongSecretDoes() async throws {
    try begin()
    let ann = try hub("ann")
    #expect(try await serves(ann))
    func answer(_ name: String) -> String {
      LoopbackHTTP.get("/l/\(name)/session", at: ann.url, token: "wrong")?.text ?? ""
    }
    #expect(answer("brand").hasPrefix("HTTP/1.1 401"))
    // So does one that nobody has asked for before, unless looking for it takes a second.
    var count = 0
    #expect(
      try await eventually {
        count += 1
        return answer("nobodys-\(count)") == answer("brand")
      }
    )
    ann.stop(because: "the test ends")
  }

  @Test func aLibraryOfANewerFormatIsLeftToItsOwnerAndToldOf() async throws {
    try begin()
    let home = try TemporaryLibrary()
    let store = try ChangeStore(writing: home.folder)
    let image = home.folder.file("image")
    let log = try makeLog()
    let newer = ChangeStore.formatVersion + 1
    try FleetFixture.publish(store, as: "newer", to: log, image: image, schema: newer)
    let ann = try hub("ann")
    let line = "library newer belongs to a newer hued-fleet"
    #expect(
      try await eventually {
        let isRefused = status("/l/newer/session", at: ann) == 503
        return isRefused && lines.contain(line)
      }
    )
    #expect(try log.look("newer")?.state.epoch == 1)
    ann.stop(because: "the test ends")
  }

  @Test(arguments: Backend.all)
  func anImageTakesThePlaceOfEntriesWhenTheLogHasGrown(_ backend: Backend) async throws {
    try begin(backend)
    var limits = LogLimits()
    limits.leastGrowth = 1_000
    let ann = try hub("ann", limits: limits)
    #expect(try await serves(ann))
    let connection = try connect(ann)
    let log = try makeLog()
    try log.connect()
    func library() throws -> SharedLibrary { try #require(try log.look("brand")) }
    let first = try library().state.image?.number
    var count = 0
    #expect(
      try await eventually {
        try add("Edit \(count)", to: connection)
        count += 1
        return try library().state.image?.number != first
      }
    )
    // What the image has is pruned, but for its own entry.
    let image = try #require(try library().state.image)
    #expect(
      try await eventually {
        try log.tail(of: library().id, after: 0).first?.position.number == image.number
      }
    )
    try add("Last", to: connection)
    ann.stop(because: "it is replaced")
    let bob = try hub("bob")
    #expect(try await serves(bob))
    #expect(try names(connect(bob)).count == count + 2)
    bob.stop(because: "the test ends")
  }

  @Test(arguments: Backend.all)
  func whatIsTooLongForAnEntryIsWrittenApart(_ backend: Backend) async throws {
    try begin(backend)
    var limits = LogLimits()
    // Not even the shortest edit is an entry.
    limits.longestContent = 100
    let ann = try hub("ann", limits: limits)
    #expect(try await serves(ann))
    // A hub that is held up may have to take the library again first.
    #expect(
      try await eventually {
        guard let connection = try? connect(ann) else { return false }
        let error = #expect(throws: APIError.self) { try add("Long", to: connection) }
        return error?.message == "so much at once is written apart"
      }
    )
    #expect(
      try await eventually {
        guard let connection = try? connect(ann) else { return false }
        return (try? names(connection)) == ["First", "Long"]
      }
    )
    ann.stop(because: "the test ends")
  }

  @Test(arguments: Backend.all)
  func aLongEditThatIsSentAgainIsMadeOnce(_ backend: Backend) async throws {
    try begin(backend)
    var limits = LogLimits()
    limits.longestContent = 100
    let ann = try hub("ann", limits: limits)
    #expect(try await serves(ann))
    let parameters: JSON = [
      "palette": "Brand", "value": "red", "name": "Long",
      "edit": "018bcfe5-6800-7000-8000-000000000001",
    ]
    let edit = Request(method: "add", parameters: parameters)
    let connection = try connect(ann)
    #expect(throws: APIError.self) { try connection.call(edit) }
    // It was made, and whoever sends it again is told so; made anew it would be too long again.
    #expect(
      try await eventually {
        guard let connection = try? connect(ann) else { return false }
        return (try? connection.call(edit)) != nil
      }
    )
    #expect(try names(connect(ann)) == ["First", "Long"])
    ann.stop(because: "the test ends")
  }

  @Test func aFolderOfCachesIsOneHubs() async throws {
    try begin()
    let ann = try hub("ann")
    #expect(try await serves(ann))
    let error = #expect(throws: StoreError.self) { try hub("bob", in: "ann") }
    #expect(error?.code == .locked)
    ann.stop(because: "the test ends")
    try hub("bob", in: "ann").stop(because: "the test ends")
  }

  @Test func anEarlierHubOfTheSameFolderIsDeadAtOnce() async throws {
    try begin()
    let ann = try hub("ann")
    #expect(try await serves(ann))
    try add("Edit", to: try connect(ann))
    ann.end(because: "it is killed", isBuried: false)
    let first = try #require(try makeLog().hubs().first?.id)
    let again = try hub("ann")
    #expect(try makeLog().hubs().contains { $0.id == first } == false)
    #expect(try await serves(again))
    #expect(try names(connect(again)) == ["First", "Edit"])
    // Its row is gone, too.
    #expect(try makeLog().look("brand")?.hub?.name == "ann")
    again.stop(because: "the test ends")
  }

  @Test func aNameIsOneHubsAsLongAsItBeats() throws {
    try begin()
    let ann = try hub("ann")
    let error = #expect(throws: APIError.self) { try hub("ann", in: "elsewhere") }
    #expect(error?.code == "exists")
    // One that beats no more is waited for, as by anybody.
    ann.end(because: "it is killed", isBuried: false)
    try hub("ann", in: "elsewhere").stop(because: "the test ends")
  }

  /// Makes the database lose what came after a state of its one library.
  private func loseTail(after state: LogState, _ backup: MemoryDatabase.Backup) throws {
    guard let server else { return database.loseTail(after: backup) }
    let digits = state.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try LocalPostgreSQL.shared.get().execute(
      """
      DELETE FROM entry WHERE number > \(state.head);
      UPDATE library SET head = \(state.head), hash = decode('\(digits)', 'hex')
      """,
      in: server
    )
  }

  @Test(arguments: Backend.all)
  func whatTheDatabaseLostItsOwnerGivesBack(_ backend: Backend) async throws {
    try begin(backend)
    let ann = try hub("ann")
    #expect(try await serves(ann))
    let connection = try connect(ann)
    let log = try makeLog()
    try log.connect()
    let state = try #require(try log.look("brand")?.state)
    let backup = database.backup
    for name in ["A", "B", "C"] { try add(name, to: connection) }
    try loseTail(after: state, backup)
    #expect(throws: APIError.self) { try add("D", to: connection) }
    #expect(
      try await eventually {
        guard let connection = try? connect(ann) else { return false }
        return (try? names(connection)) == ["First", "A", "B", "C"]
      }
    )
    let text = LoopbackHTTP.get("/metrics", at: ann.url)?.text ?? ""
    #expect(text.contains("hued_fleet_lost_tails_total 1\n"))
    let status = try connect(ann).call(Request(method: "status", parameters: [:])).json
    #expect(status["notice"].stringValue?.contains("lost the end of brand") == true)
    // It is an image of all, at the number of the first entry that was lost.
    let image = try #require(try log.look("brand")?.state.image)
    #expect(image.number == state.head + 1)
    ann.stop(because: "the test ends")
  }
}
