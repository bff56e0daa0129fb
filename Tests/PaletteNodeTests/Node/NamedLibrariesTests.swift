import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import PaletteWebPage
import Synchronization
import Testing

@testable import PaletteNode

/// Libraries that one process serves by name, each beneath an address of its own.
@MainActor
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct NamedLibrariesTests {
  /// Serves two libraries, one that comes later, and a third under every other name.
  private final class Directory: LibraryDirectory {
    let rooms: HubRooms
    var keys: [String: RoomKey] = [:]
    var nobody: RoomKey?
    var hindrance: String?
    var metrics: String { "hubs 1\n" }
    /// The libraries for which nothing may be answered.
    var silent: Set<RoomKey> = []

    init(_ rooms: HubRooms) {
      self.rooms = rooms
    }

    func find(_ name: String, for address: String) -> NamedLibrary {
      if name == "later" { return .later(seconds: 2) }
      return (keys[name] ?? nobody).map { .here($0) } ?? .later(seconds: 1)
    }

    func isFetching(_ name: String) -> Bool { false }

    func mayAnswer(_ key: RoomKey) -> Bool { !silent.contains(key) }

    /// Opens a library beneath a name, or beneath all that have none.
    func open(_ name: String, in folder: LibraryFolder) throws {
      let location = LibraryLocation(
        home: folder.path,
        configurationFile: folder.path + "/config.json"
      )
      let store = try ChangeStore(writing: folder)
      let key = try rooms.open(name, location, store) { [unowned self] in keys[name] = nil }
      if name.isEmpty { nobody = key } else { keys[name] = key }
    }
  }

  private let libraries: [TemporaryLibrary]
  private let hub: Hub

  init() async throws {
    let libraries = try (0..<3).map { _ in try TemporaryLibrary(inMemory: ()) }
    self.libraries = libraries
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    settings.linksFiles = false
    settings.page = .hued
    hub = try Hub(settings: settings, limits: ProcessLimits()) { Directory($0) }
    let folders = libraries.map(\.folder)
    try await use { directory in
      for (name, folder) in zip(["brand", "garden", ""], folders) {
        try directory.open(name, in: folder)
      }
    }
  }

  /// Runs something on the thread of the hub's loop.
  private func use<Result: Sendable>(
    _ body: @escaping @Sendable (Directory) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      hub.perform { directory in
        continuation.resume(
          with: Swift.Result {
            try body(try #require(directory as? Directory))
          }
        )
      }
    }
  }

  @discardableResult
  private func ask(
    _ name: String,
    _ method: String,
    _ parameters: JSON = [:]
  ) async throws -> JSON {
    try await use { directory in
      let key = try #require(directory.keys[name])
      return try directory.rooms.answer(Request(method: method, parameters: parameters), in: key)
        .json
    }
  }

  private func get(_ path: String, _ token: String? = nil) throws -> (status: Int, text: String) {
    try #require(LoopbackHTTP.get(path, at: hub.url, token: token))
  }

  @Test func eachHasItsPageAndItsPalettesBeneathItsName() async throws {
    for (name, palette) in [("brand", "Brand"), ("garden", "Garden")] {
      try await ask(name, "new", ["name": JSON(palette)])
    }
    let token = try #require(
      try await ask("brand", "token", ["role": "editor"])["token"].stringValue
    )
    #expect(try get("/l/brand").text.contains("location: /l/brand/\r\n"))
    for path in ["/l/brand/", "/l/garden/palettes/7f0e7a6c-0000-4000-8000-000000000000"] {
      let page = try get(path).text
      let base = path.split(separator: "/").prefix(2).joined(separator: "/")
      #expect(page.contains("href=\"/\(base)/page.css\"") && !page.contains("\"/page"))
    }
    #expect(try get("/l/brand/page.js").status == 200)
    #expect(try get("/l/brand/p/Brand.css", token).status == 200)
    #expect(try get("/l/garden/p/Brand.css", token).status == 401)
    #expect(try get("/p/Brand.css", token).status == 404)
    hub.stop(because: "the test ends")
  }

  @Test func aCodeOpensThePageOfItsLibraryAlone() async throws {
    try await ask("brand", "new", ["name": "Brand"])
    let shared = try await ask("brand", "share", ["palette": "Brand", "role": "editor"])
    let code = try #require(shared["code"].stringValue)
    #expect(shared["link"].stringValue?.hasPrefix("\(hub.url)/l/brand/#") == true)
    #expect(try get("/l/garden/session", code).status == 401)
    let session = try get("/l/brand/session", code)
    #expect(session.status == 200)
    #expect(session.text.contains("set-cookie: hued-session="))
    #expect(session.text.contains("; Path=/l/brand/; "))
    hub.stop(because: "the test ends")
  }

  @Test func aNodeJoinsByACodeAndStaysInSync() async throws {
    let made = try await ask("brand", "new", ["name": "Brand"])
    try await ask("brand", "add", ["palette": "Brand", "value": "tomato"])
    let code = try await ask("brand", "share", ["role": "editor"])["code"].stringValue
    let home = try TemporaryLibrary()
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    let path = home.folder.path
    let node = try Node(
      at: LibraryLocation(home: path, configurationFile: path + "/config.json"),
      settings: settings
    )
    let peer = try await node.join(try #require(code))
    #expect(peer.url == "\(hub.url)/l/brand")
    let log = try await node.log
    let id = try #require(made["id"].stringValue.flatMap { PaletteID($0) })
    let palette = try await log.palette(id)
    palette.colors.append(NamedColor(name: "Sky", color: try Color("skyblue")))
    try await palette.flush()
    for await status in node.statuses where status.isInSync && status.pending == 0 { break }
    let colors = try await ask("brand", "list", ["palette": "Brand"])["colors"].arrayValue ?? []
    #expect(colors.compactMap { $0["name"].stringValue } == ["#ff6347", "Sky"])
    await node.end()
    hub.stop(because: "the test ends")
  }

  @Test func anUnknownNameAnswersAsAWrongSecretDoes() async throws {
    for path in ["session", "p/Brand.css", "metrics", "rpc", "page.js"] {
      let known = try get("/l/brand/\(path)", "wrong")
      let unknown = try get("/l/no-such-name/\(path)", "wrong")
      #expect(known.status == unknown.status, "\(path)")
      #expect(known.text == unknown.text, "\(path)")
    }
    hub.stop(because: "the test ends")
  }

  @Test func oneThatComesLaterIsAskedForAgain() async throws {
    let answer = try get("/l/later/session", "wrong")
    #expect(answer.status == 503 && answer.text.contains("retry-after: 2\r\n"))
    // The page needs no library yet.
    #expect(try get("/l/later/").status == 200)
    hub.stop(because: "the test ends")
  }

  @Test func thePathsOfTheProcessAreAtTheRoot() async throws {
    #expect(try get("/healthz").status == 200)
    #expect(try get("/metrics").text.hasSuffix("hubs 1\n"))
    #expect(try get("/readyz").status == 200)
    try await use { $0.hindrance = "the database does not answer" }
    let answer = try get("/readyz")
    #expect(answer.status == 503 && answer.text.hasSuffix("the database does not answer\n"))
    for path in ["/", "/page.js", "/session", "/l/", "/l/Bad/", "/l/-a/", "/rpc"] {
      #expect(try get(path).status == 404, "\(path)")
    }
    hub.stop(because: "the test ends")
  }

  /// A balancer leads by the bytes of the path, and would lead another spelling elsewhere.
  @Test func aPathIsServedAsItIsSpelledAlone() async throws {
    let token = try #require(
      try await ask("brand", "token", ["role": "editor"])["token"].stringValue
    )
    for path in ["session", "session?x", "x/../session", "./%73ession"] {
      #expect(try get("/l/brand/\(path)", "wrong").status == 401, "\(path)")
    }
    let others = [
      "/l/%62rand/session", "/./l/brand/session", "/x/../l/brand/session", "//l/brand/session",
      "/l/brand%2Fsession", "/l/garden/../brand/session", "/%6c/later/session", "/%6detrics",
      "/./readyz",
    ]
    for path in others {
      #expect(try get(path, "wrong").status == 404, "\(path)")
    }
    let port = try #require(hub.url.split(separator: ":").last.flatMap { UInt16($0) })
    _ = try NodeConnection(port: port, path: "/l/brand/rpc?x", token: token)
    #expect(throws: (any Error).self) {
      try NodeConnection(port: port, path: "/l/%62rand/rpc", token: token)
    }
    hub.stop(because: "the test ends")
  }

  @Test(arguments: [0, 1])
  func aRoomThatNobodyUsesIsAPlaceForAnother(_ count: Int) async throws {
    hub.stop(because: "the test has one of its own")
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    var limits = ProcessLimits()
    limits.rooms = count
    let other = try Hub(settings: settings, limits: limits) { Directory($0) }
    let folder = libraries[0].folder
    let places = await withCheckedContinuation { continuation in
      other.perform { directory in
        guard let directory = directory as? Directory else { return }
        let before = directory.rooms.hasPlace
        try? directory.open("brand", in: folder)
        let isOpen = directory.keys["brand"] != nil
        continuation.resume(returning: [before, isOpen, directory.rooms.hasPlace])
      }
    }
    #expect(places == Array(repeating: count > 0, count: 3))
    other.stop(because: "the test ends")
  }

  @Test func nothingIsAnsweredThatMayNotBe() async throws {
    let token = try #require(
      try await ask("brand", "token", ["role": "editor"])["token"].stringValue
    )
    let port = try #require(hub.url.split(separator: ":").last.flatMap { UInt16($0) })
    let connection = try NodeConnection(port: port, path: "/l/brand/rpc", token: token)
    _ = try connection.call(Request(method: "palettes"))
    try await use { directory in
      if let key = directory.keys["brand"] { directory.silent = [key] }
    }
    #expect(throws: APIError.self) { try connection.call(Request(method: "palettes")) }
    hub.stop(because: "the test ends")
  }

  @Test func whoIsConnectedIsSentAwayWhenALibraryIsLetGo() async throws {
    let token = try #require(
      try await ask("brand", "token", ["role": "editor"])["token"].stringValue
    )
    let port = try #require(hub.url.split(separator: ":").last.flatMap { UInt16($0) })
    let connection = try NodeConnection(port: port, path: "/l/brand/rpc", token: token)
    _ = try connection.call(Request(method: "palettes"))
    try await use { directory in
      let brand = directory.keys.removeValue(forKey: "brand")
      let key = try #require(brand)
      directory.rooms.close(key, because: "another hub serves it")
      #expect(directory.rooms.lastUse(of: key) == nil)
    }
    #expect(throws: APIError.self) { try connection.call(Request(method: "palettes")) }
    // The library is free for another process.
    _ = try ChangeStore(writing: libraries[0].folder, lockTimeoutMilliseconds: 0)
    hub.stop(because: "the test ends")
  }

  @Test(
    arguments: [
      ("/l/brand/rpc", "brand", "/rpc"), ("/l/brand", "brand", ""), ("/l/a/", "a", "/"),
      ("/l/0-9/p/a/b", "0-9", "/p/a/b"), ("/l/", nil, "/l/"), ("/l/A/", nil, "/l/A/"),
      ("/l/-a/", nil, "/l/-a/"), ("/l/a-/", nil, "/l/a-/"), ("/L/a/", nil, "/L/a/"),
      ("/l/é/", nil, "/l/é/"), ("/", nil, "/"), ("", nil, ""),
    ] as [(String, String?, String)]
  )
  func readsPaths(_ text: String, _ name: String?, _ rest: String) {
    let path = LibraryPath(text)
    #expect(path.name == name && path.rest == rest)
  }

  @Test func namesHaveAtMost63Letters() {
    #expect(LibraryPath.isName(String(repeating: "a", count: 63)))
    #expect(!LibraryPath.isName(String(repeating: "a", count: 64)) && !LibraryPath.isName(""))
  }
}
