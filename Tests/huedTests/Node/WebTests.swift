import Foundation
import PaletteCommands
import PaletteJSON
import PalettePlatform
import PaletteTestSupport
import Testing

@testable import hued

/// What a node answers over HTTP, and whom it lets in.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct WebTests {
  private final class Fixture {
    let folder: TemporaryFolder
    let node: RunningNode

    init(_ arguments: [String] = []) throws {
      folder = try TemporaryFolder()
      node = try RunningNode(
        home: folder.file("home"),
        ["--listen", "127.0.0.1:0"] + arguments
      )
    }

    func get(_ path: String, host: String? = nil, _ headers: [String] = []) throws
      -> WebClient.Response
    {
      try WebClient.get(path, port: node.port, host: host, headers)
    }
  }

  @Test func servesThePageWithAStrictPolicy() throws {
    let fixture = try Fixture()
    for (path, type) in [
      ("/", "text/html; charset=utf-8"), ("/page.js", "text/javascript; charset=utf-8"),
      ("/page.css", "text/css; charset=utf-8"),
    ] {
      let response = try fixture.get(path)
      #expect(response.status == 200)
      #expect(response.header("content-type") == type)
      let policy = try #require(response.header("content-security-policy"))
      #expect(policy.hasPrefix("default-src 'none'; "))
      #expect(!policy.contains("unsafe"))
      #expect(response.header("x-content-type-options") == "nosniff")
      #expect(!response.body.contains("innerHTML"))
    }
    #expect(try fixture.get("/nothing").status == 404)
  }

  @Test func sendsThePageOnlyToWhoLacksIt() throws {
    let fixture = try Fixture()
    let plain = try fixture.get("/")
    #expect(plain.header("cache-control") == "no-cache")
    #expect(plain.header("content-encoding") == nil)
    let tag = try #require(plain.header("etag"))
    let again = try fixture.get("/", ["If-None-Match: \(tag)"])
    #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag)
    #expect(try fixture.get("/", ["If-None-Match: \"other\""]).status == 200)
    let squeezed = try fixture.get("/page.html", ["Accept-Encoding: gzip, br"])
    #expect(squeezed.header("content-encoding") == "gzip")
    #expect(squeezed.header("etag") != tag)
    let head = try WebClient.get("/", port: fixture.node.port, method: "HEAD")
    #expect(head.status == 200 && head.body.isEmpty && head.header("etag") == tag)
    #expect(head.header("content-length") == plain.header("content-length"))
  }

  @Test func beginsASessionOnce() throws {
    let fixture = try Fixture()
    let bearer = "Authorization: Bearer \(fixture.node.code)"
    #expect(try fixture.get("/session").status == 401)
    #expect(try fixture.get("/session", ["Authorization: Bearer 00"]).status == 401)
    // The code opens the session, and nothing else.
    #expect(try fixture.get("/rpc", WebClient.upgrade + [bearer]).status == 401)
    let response = try fixture.get("/session", [bearer])
    #expect(response.status == 200)
    let cookie = try #require(response.header("set-cookie"))
    #expect(cookie.hasPrefix("hued-session-\(fixture.node.port)="))
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(try fixture.get("/session", [bearer]).status == 401)
    let value = String(cookie.prefix { $0 != ";" })
    #expect(try fixture.get("/rpc", WebClient.upgrade + ["Cookie: \(value)"]).status == 101)
    #expect(try fixture.get("/rpc", WebClient.upgrade + ["Cookie: \(value)0"]).status == 401)
    #expect(try fixture.get("/rpc", WebClient.upgrade).status == 401)
    #expect(!fixture.node.log.contains(value.split(separator: "=")[1]))
  }

  /// A browser sends its cookies to whatever listens on any port of the host.
  @Test func theCookieAloneOpensNothing() throws {
    let fixture = try Fixture()
    #expect(try fixture.node.hued("new", "Sea").status == 0)
    let session = try fixture.get("/session", ["Authorization: Bearer \(fixture.node.code)"])
    let cookie = "Cookie: " + (try #require(session.header("set-cookie"))).prefix { $0 != ";" }
    let half = try #require(try JSON(answer: Array(session.body.utf8))["half"].stringValue)
    #expect(half.count == 64 && !cookie.contains(half))
    func page(_ method: String, _ parameters: JSON) throws -> RPCClient {
      let page = RPCClient(try WebClient.open("/rpc", port: fixture.node.port, [cookie]))
      try page.send(method, parameters, id: 1)
      return page
    }
    for shown in ["", "00", String(half.reversed()), String(repeating: "0", count: 64)] {
      let thief = try page("session", ["half": .string(shown)])
      #expect(throws: (any Error).self, "\(shown)") { try thief.answer() }
    }
    // Nothing is answered before the half was shown.
    let early = try page("palettes", [:])
    #expect(throws: (any Error).self) { try early.answer() }
    let good = try page("session", ["half": .string(half)])
    #expect(try good.answer()["error"].isNull)
    try good.send("palettes", [:], id: 2)
    #expect(try good.answer()["result"]["palettes"].arrayValue?.count == 1)
    // A file is open to the cookie, for reading alone; what only owners may see is not.
    #expect(try fixture.get("/p/Sea.css", [cookie]).status == 200)
    // The half alone is no token.
    let bearer = "Authorization: Bearer hued_\(half)"
    #expect(try fixture.get("/rpc", WebClient.upgrade + [bearer]).status == 401)
  }

  @Test func aPageThatSaysNothingIsDisconnected() throws {
    let fixture = try Fixture()
    let session = try fixture.get("/session", ["Authorization: Bearer \(fixture.node.code)"])
    let cookie = "Cookie: " + (try #require(session.header("set-cookie"))).prefix { $0 != ";" }
    let descriptor = try WebClient.open("/rpc", port: fixture.node.port, [cookie])
    #expect(WebClient.closeCode(descriptor) == 4401)
    close(descriptor)
  }

  @Test func servesPalettesAsFiles() throws {
    let fixture = try Fixture()
    let name = "A+B & \u{E9}/x.y"
    #expect(try fixture.node.hued("new", name).status == 0)
    #expect(try fixture.node.hued("add", name, "tomato", "Red one").status == 0)
    let path = "/p/A%2BB%20%26%20%C3%A9%2Fx.y"
    let made = try fixture.node.hued("token", name, "--role", "viewer", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
    let bearer = "Authorization: Bearer \(try #require(object?["token"] as? String))"
    // Private: nothing tells it from a palette that is not there.
    for unknown in [path + ".css", "/p/Nothing.css"] {
      let response = try fixture.get(unknown)
      #expect(response.status == 401 && response.header("access-control-allow-origin") == nil)
    }
    #expect(try fixture.get("/p/Nothing.css", [bearer]).status == 404)
    #expect(try fixture.get(path + ".gif", [bearer]).status == 404)
    #expect(try fixture.get(path + ".pal", [bearer]).status == 404)
    let sheet = try fixture.get(path + ".css", [bearer])
    #expect(sheet.status == 200 && sheet.header("content-type") == "text/css; charset=utf-8")
    #expect(sheet.body.contains("--red-one: #ff6347; /* Red one */"))
    #expect(sheet.header("access-control-allow-origin") == nil)
    // Cookies and tokens of other sites' pages count for nothing.
    let origin = "Origin: https://evil.example"
    #expect(try fixture.get(path + ".css", [bearer, origin]).status == 401)
    #expect(try fixture.get("/healthz", [origin]).status == 403)

    let shared = try fixture.node.hued("share", name, "--public", "--json")
    let grant = try JSONSerialization.jsonObject(with: Data(shared.output.utf8)) as? [String: Any]
    #expect(grant?["code"] is NSNull && grant?["role"] as? String == "viewer")
    #expect((grant?["link"] as? String)?.hasSuffix(".css") == true)
    let open = try fixture.get(path + ".css", [origin])
    #expect(open.status == 200 && open.header("access-control-allow-origin") == "*")
    let tag = try #require(open.header("etag"))
    #expect(try fixture.get(path + ".css", ["If-None-Match: \(tag)"]).status == 304)
    let head = try WebClient.get(path + ".css", port: fixture.node.port, method: "HEAD")
    #expect(head.status == 200 && head.body.isEmpty)
    #expect(head.header("content-length") == open.header("content-length"))
    for ending in ["json", "svg", "html", "dtcg", "tokens", "gpl", "hex", "swift"] {
      #expect(try fixture.get("\(path).\(ending)").status == 200, "\(ending)")
    }
    #expect(try fixture.node.hued("set", name, "Red one", "blue").status == 0)
    let later = try fixture.get(path + ".css", ["If-None-Match: \(tag)"])
    #expect(later.status == 200 && later.body.contains("--red-one: #0000ff;"))

    let tokens = try fixture.node.hued("tokens", "--json").output
    let list = try JSONSerialization.jsonObject(with: Data(tokens.utf8)) as? [String: Any]
    let entries = try #require(list?["tokens"] as? [[String: Any]])
    let entry = try #require(entries.first { $0["kind"] as? String == "public" })
    #expect(try fixture.node.hued("revoke", try #require(entry["id"] as? String)).status == 0)
    #expect(try fixture.get(path + ".css").status == 401)
    #expect(try fixture.node.hued("share", "--public").status == 2)
    #expect(try fixture.node.hued("share", name, "--public", "--role", "editor").status == 2)
  }

  @Test func looksAtHostAndOrigin() throws {
    let fixture = try Fixture(["--allow-origin", "https://a.example", "--allow-origin", "http://b"])
    #expect(try fixture.get("/", host: "evil.example").status >= 400)
    #expect(try fixture.get("/healthz", host: "localhost").status == 200)
    let code = fixture.node.code
    let cookie = try #require(
      try fixture.get("/session", ["Authorization: Bearer \(code)"]).header("set-cookie")
    )
    let headers = WebClient.upgrade + ["Cookie: " + cookie.prefix { $0 != ";" }]
    for (origin, status) in [
      ("http://127.0.0.1:\(fixture.node.port)", 101), ("https://a.example", 101), ("http://b", 101),
      ("http://127.0.0.1:1", 403), ("https://evil.example", 403), ("null", 403),
    ] {
      let response = try fixture.get("/rpc", headers + ["Origin: \(origin)"])
      #expect(response.status == status, "\(origin)")
    }
  }

  @Test func saysGoodbyeWhenItEnds() throws {
    let fixture = try Fixture(["--enable-echo"])
    let descriptors = try (0..<3).map { _ in
      try WebClient.open("/echo", port: fixture.node.port, ["Sec-WebSocket-Protocol: echo"])
    }
    let start = ContinuousClock.now
    kill(fixture.node.processID, SIGTERM)
    for descriptor in descriptors {
      #expect(WebClient.closeCode(descriptor) == 1001)
      close(descriptor)
    }
    #expect(fixture.node.end() == (0, false))
    #expect(ContinuousClock.now - start < .patiently(seconds: 5))
  }

  @Test func servesEchoOnlyWhenAsked() throws {
    let fixture = try Fixture()
    #expect(try fixture.get("/echo", WebClient.upgrade).status == 404)
  }

  @Test func endsWhoeverLosesTheirToken() throws {
    let fixture = try Fixture()
    let made = try fixture.node.hued("token", "--role", "viewer", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
    let token = try #require(object?["token"] as? String)
    let bearer = "Authorization: Bearer \(token)"
    let descriptor = try WebClient.open("/rpc", port: fixture.node.port, [bearer])
    #expect(try fixture.node.hued("revoke", try #require(object?["id"] as? String)).status == 0)
    #expect(WebClient.closeCode(descriptor) == 4401)
    close(descriptor)
    #expect(try fixture.get("/rpc", WebClient.upgrade + [bearer]).status == 401)
  }

  @Test func endsWhoeversTokenExpires() throws {
    let fixture = try Fixture()
    let start = ContinuousClock.now
    let made = try fixture.node.hued("token", "--role", "viewer", "--expires", "3s", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
    let bearer = "Authorization: Bearer \(try #require(object?["token"] as? String))"
    let descriptor = try WebClient.open("/rpc", port: fixture.node.port, [bearer])
    #expect(WebClient.closeCode(descriptor) == 4401)
    close(descriptor)
    let time = ContinuousClock.now - start
    #expect(time >= .seconds(3) && time < .seconds(3) + .patiently(seconds: 3), "\(time)")
  }

  @Test func refusesLongMessagesOfReadersByTheirAnnouncement() throws {
    let fixture = try Fixture()
    /// Announces a text message of so many bytes, and sends none of them.
    func announce(_ count: UInt32, as role: String) throws -> Int32 {
      let made = try fixture.node.hued("token", "--role", role, "--json")
      let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
      let token = try #require(object?["token"] as? String)
      let descriptor = try WebClient.open(
        "/rpc",
        port: fixture.node.port,
        ["Authorization: Bearer \(token)"]
      )
      let length = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(count) >> (8 * (7 - $0))) }
      let frame = [0x81, 0xFF] + length + [0, 0, 0, 0]
      _ = PalettePlatform.send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL))
      return descriptor
    }
    let viewer = try announce(65_537, as: "viewer")
    #expect(WebClient.closeCode(viewer) == 1009)
    close(viewer)
    let editor = try announce(96 << 20 + 1, as: "editor")
    #expect(WebClient.closeCode(editor) == 1009)
    close(editor)
    // Where more is allowed, the rest of the message is awaited: here a call that fills it.
    let owner = try announce(65_537, as: "owner")
    let call = Array(#"{"jsonrpc":"2.0","id":1,"method":"color","params":{"value":"red"}}"#.utf8)
    let text = call + [UInt8](repeating: UInt8(ascii: " "), count: 65_537 - call.count)
    _ = PalettePlatform.send(owner, text, text.count, Int32(MSG_NOSIGNAL))
    #expect(try RPCClient(owner).answer()["id"].intValue == 1)
  }

  @Test func keepsADoorForTheOwner() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"), descriptors: 128)
    let made = try node.hued("token", "--role", "viewer", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
    let bearer = "Authorization: Bearer \(try #require(object?["token"] as? String))"
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<200 { descriptors.append(try WebClient.connection(port: node.port)) }
    #expect(try node.hued("new", "Sea").status == 0)
    let metrics = try WebClient.get("/metrics", port: node.port).body
    let refused = ["unauthenticated", "descriptors"].compactMap { reason -> Int? in
      let name = #"hued_refused_connections_total{reason="\#(reason)"} "#
      let line = metrics.split(separator: "\n").first { $0.hasPrefix(name) }
      return line.flatMap { Int($0.dropFirst(name.count)) }
    }
    #expect(refused.count == 2 && refused.reduce(0, +) >= 200 - 64)
    // Those who are known may use all but the last descriptors.
    var known = 0
    while known < 200, let one = try? WebClient.open("/rpc", port: node.port, [bearer]) {
      descriptors.append(one)
      known += 1
    }
    #expect((40...96).contains(known), "\(known)")
    #expect(try node.hued("add", "Sea", "red").status == 0)
    try node.waitForLog("more were refused")
  }

  @Test func logsThoseWhoAreRefusedWithTheirAddress() throws {
    let fixture = try Fixture()
    for _ in 0..<40 { #expect(try fixture.get("/rpc", WebClient.upgrade).status == 401) }
    let lines = fixture.node.log.split(separator: "\n").filter { $0.contains("refused without") }
    #expect((10...30).contains(lines.count))
    #expect(lines.allSatisfy { $0.contains("127.0.0.1") })
    let metrics = try fixture.get("/metrics").body
    #expect(metrics.contains("\nhued_refusals_total{code=\"401\"} 40\n"))
  }

  @Test func tellsHealthReadinessAndNumbers() throws {
    let fixture = try Fixture()
    #expect(try fixture.get("/healthz").body == "ok\n")
    #expect(try fixture.get("/readyz").body == "ready\n")
    _ = try fixture.node.hued("new", "Sea")
    _ = try fixture.node.hued("add", "Sea", "red")
    let metrics = try fixture.get("/metrics")
    #expect(metrics.header("content-type") == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      "hued_palettes 1", "hued_colors 1", "hued_changes_total 3", "hued_commits_total 2",
      "hued_rpc_calls_total 4", "hued_watchers 0",
    ] {
      #expect(metrics.body.contains("\n\(line)\n"), "\(line)")
    }
    let api = try fixture.get("/api")
    #expect(api.header("content-type") == "application/json")
    #expect(api.body.contains(#""openrpc":"1.3.2""#))
  }

  @Test func keepsNumbersForOwnersBehindAProxy() throws {
    let fixture = try Fixture(["--behind-proxy"])
    for path in ["/metrics", "/api"] { #expect(try fixture.get(path).status == 401) }
    #expect(try fixture.get("/healthz").status == 200)
    for (role, status) in [("owner", 200), ("viewer", 401)] {
      let made = try fixture.node.hued("token", "--role", role, "--json")
      let object =
        try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any]
      let token = try #require(object?["token"] as? String)
      for path in ["/metrics", "/api"] {
        #expect(try fixture.get(path, ["Authorization: Bearer \(token)"]).status == status)
      }
    }
  }

  @Test func encryptsWhereOthersCanConnect() throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    let node = try RunningNode(home: home, ["--listen", "0.0.0.0:0"])
    #expect(node.url.hasPrefix("https://0.0.0.0:"))
    #expect(node.link.hasPrefix("https://127.0.0.1:"))
    let key = try Data(contentsOf: URL(fileURLWithPath: home + "/key.pem"))
    #expect(node.end() == (0, false))
    let plain = try RunningNode(
      home: home,
      ["--listen", "0.0.0.0:0", "--behind-proxy", "--public-url", "https://hub.example"]
    )
    #expect(plain.url.hasPrefix("http://0.0.0.0:"))
    #expect(plain.end() == (0, false))
    let again = try RunningNode(home: home, ["--listen", "0.0.0.0:0"])
    #expect(again.url.hasPrefix("https:"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: home + "/key.pem")) == key)
  }
}
