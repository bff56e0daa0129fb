import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import PaletteWebPage
import Testing

@testable import PaletteNode

/// Two homes in one process, each in a room of its own.
@MainActor
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct TwoHomesTests {
  private let libraries: [TemporaryLibrary]

  init() throws {
    libraries = try (0..<3).map { _ in try TemporaryLibrary() }
  }

  private func location(_ index: Int) -> LibraryLocation {
    let home = libraries[index].folder.path
    return LibraryLocation(home: home, configurationFile: home + "/config.json")
  }

  private func settings() throws -> NodeSettings {
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    settings.page = .hued
    return settings
  }

  /// Ann's home, and Bob's in the same process.
  private func homes() async throws -> (ann: Node, bob: Node) {
    let ann = try Node(at: location(0), settings: try settings())
    return (ann, try await Node(beside: ann, at: location(1), settings: try settings()))
  }

  private func palette(_ name: String, _ color: String, in node: Node) async throws -> PaletteID {
    let log = try await node.log
    let id = try await log.run { try $0.makePalette(named: name) }
    let palette = try await log.palette(id)
    palette.colors = [NamedColor(name: color, color: try Color(color))]
    try await palette.flush()
    return id
  }

  /// Makes a token through the socket in a home.
  private func token(_ index: Int, _ role: String) throws -> (id: String, secret: String) {
    let node = try #require(try NodeConnection(home: location(index).home))
    let answer = try node.call(Request(method: "token", parameters: ["role": JSON(role)])).json
    return (
      try #require(answer["id"].stringValue), try #require(answer["token"].stringValue)
    )
  }

  private func names(_ connection: NodeConnection) throws -> [String] {
    let answer = try connection.call(Request(method: "palettes")).json
    return (answer["palettes"].arrayValue ?? []).compactMap { $0["name"].stringValue }
  }

  private func connect(_ node: Node, _ token: String) throws -> NodeConnection {
    let port = try #require(node.url.split(separator: ":").last.flatMap { UInt16($0) })
    return try NodeConnection(port: port, token: token)
  }

  @Test func editsAndCallsReachTheLibraryOfTheirListener() async throws {
    let (ann, bob) = try await homes()
    _ = try await palette("Brand", "tomato", in: ann)
    _ = try await palette("Garden", "seagreen", in: bob)
    for (index, node, name) in [(0, ann, "Brand"), (1, bob, "Garden")] {
      let local = try #require(try NodeConnection(home: location(index).home))
      #expect(try names(local) == [name])
      let secret = try token(index, "editor").secret
      #expect(try names(try connect(node, secret)) == [name])
      // Each has the files of its own palettes alone.
      #expect(LoopbackHTTP.get("/p/\(name).css", at: node.url, token: secret)?.status == 200)
      let other = name == "Brand" ? "Garden" : "Brand"
      #expect(LoopbackHTTP.get("/p/\(other).css", at: node.url, token: secret)?.status == 404)
    }
    await ann.end()
  }

  @Test func secretsOfOneDoNotOpenTheOther() async throws {
    let (ann, bob) = try await homes()
    let brand = try await palette("Brand", "tomato", in: ann)
    let secret = try token(0, "owner").secret
    #expect(throws: APIError.self) { try connect(bob, secret) }
    #expect(LoopbackHTTP.get("/p/Brand.css", at: bob.url, token: secret)?.status == 401)
    // The link to a page, and a join code, are good at the node that made them.
    let page = try #require(ann.pageLink?.split(separator: "#").last.map { String($0) })
    #expect(LoopbackHTTP.get("/session", at: bob.url, token: page)?.status == 401)
    #expect(LoopbackHTTP.get("/session", at: ann.url, token: page)?.status == 200)
    let code = try await ann.share(brand, as: .viewer).code
    #expect(LoopbackHTTP.get("/session", at: bob.url, token: code)?.status == 401)
    #expect(LoopbackHTTP.get("/session", at: ann.url, token: code)?.status == 200)
    await ann.end()
  }

  @Test func revocationInOneLeavesTheOther() async throws {
    let (ann, bob) = try await homes()
    _ = try await palette("Brand", "tomato", in: ann)
    _ = try await palette("Garden", "seagreen", in: bob)
    // Members have the same numbers in both.
    let (inAnn, inBob) = (try token(0, "editor"), try token(1, "editor"))
    let (first, second) = (try connect(ann, inAnn.secret), try connect(bob, inBob.secret))
    #expect(try names(first) == ["Brand"] && names(second) == ["Garden"])
    let local = try #require(try NodeConnection(home: location(0).home))
    _ = try local.call(Request(method: "revoke", parameters: ["token": JSON(inAnn.id)]))
    #expect(throws: APIError.self) { try names(first) }
    #expect(try names(second) == ["Garden"])
    #expect(throws: APIError.self) { try connect(ann, inAnn.secret) }
    #expect(try names(try connect(bob, inBob.secret)) == ["Garden"])
    await ann.end()
  }

  @Test func oneSyncsWithTheOtherAsWithAnyNode() async throws {
    let (ann, bob) = try await homes()
    let brand = try await palette("Brand", "tomato", in: ann)
    _ = try await palette("Garden", "seagreen", in: bob)
    let peer = try await bob.join(try await ann.share(brand, as: .editor).code)
    #expect(peer.state == .live && peer.isCaughtUp)
    let shared = try await bob.log.palette(brand)
    shared.colors.append(NamedColor(name: "Sky", color: try Color("skyblue")))
    try await shared.flush()
    for await status in bob.statuses where status.isInSync && status.pending == 0 { break }
    let own = try await ann.log.palette(brand)
    #expect(own.colors.map(\.name) == ["tomato", "Sky"])
    // What was not shared stayed where it was.
    #expect(try await ann.status.palettes == 1)
    #expect(try await bob.status.palettes == 2)
    try await bob.leave(peer.url)
    await ann.end()
  }

  @Test func aHomeThatAnotherProcessHasIsRefusedAndTheProcessGoesOn() async throws {
    let ann = try Node(at: location(0), settings: try settings())
    let store = try ChangeStore(writing: libraries[1].folder)
    // A process that serves somebody cannot wait until a command has ended, as a first home does.
    await #expect {
      try await Node(beside: ann, at: location(1), settings: try settings())
    } throws: {
      ($0 as? APIError)?.code == "locked"
    }
    withExtendedLifetime(store) {}
    _ = try await palette("Brand", "tomato", in: ann)
    #expect(try await ann.status.palettes == 1)
    await ann.end()
  }
}
