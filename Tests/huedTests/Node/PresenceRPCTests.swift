import Foundation
import PaletteCommands
import PaletteJSON
import PaletteTestSupport
import Testing

/// What clients of one node learn of each other and of the library.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct PresenceRPCTests {
  /// The next message that is a notification of this kind.
  private func notification(_ method: String, _ client: RPCClient) throws -> JSON {
    while true {
      let message = try client.answer()
      if message["method"].stringValue == method { return message["params"] ?? .null }
    }
  }

  @Test func watchersSeeWhoComesAndGoes() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(try node.hued("add", "Sea", "tomato", "Tom").status == 0)
    let ann = try RPCClient(home: node.home)
    try ann.send("palette.watch", ["palette": "Sea"], id: 1)
    #expect(try ann.answer()["result"]["event"].stringValue == "snapshot")
    var bob: RPCClient? = try RPCClient(home: node.home)
    try bob?.send(
      "palette.present",
      ["palette": "Sea", "name": "Bob", "selection": "Tom"],
      id: 1
    )
    let stated = try #require(try bob?.answer()["result"])
    #expect(stated["present"].arrayValue?.count == 1)
    let told = try notification("palette.presence", ann)
    let came = told["present"].arrayValue ?? []
    #expect(came.map { $0["name"].stringValue } == ["Bob"])
    // A client learns which of the views is its own; nobody else is told that it is theirs.
    #expect(stated["you"].stringValue != nil)
    #expect(stated["you"].stringValue == came.first?["who"].stringValue)
    #expect(told["you"].stringValue == nil)
    #expect(came.first?["selection"].stringValue != nil)
    bob = nil
    #expect(try notification("palette.presence", ann)["present"].arrayValue?.isEmpty == true)
    let long = String(repeating: "é", count: 200)
    try ann.send("palette.present", ["palette": "Sea", "name": .init(long)], id: 2)
    let own = try notification("palette.presence", ann)["present"].arrayValue?.first?["name"]
      .stringValue
    #expect(own?.utf8.count == 64)
  }

  @Test func palettesComeAndGoWithoutAsking() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    let client = try RPCClient(home: node.home)
    try client.send("library.watch", [:], id: 1)
    #expect(try client.answer()["result"]["palettes"].arrayValue?.isEmpty == true)
    /// Waits until the list is told to be this; what an edit did to it is told once a second.
    func isTold(_ name: String?, count: Int = 0) throws -> Bool {
      for _ in 0..<10 {
        let difference = try notification("library.palettes", client)
        let told = ["added", "changed"].flatMap { difference[$0].arrayValue ?? [] }.last
        if told?["name"].stringValue == name, told?["count"].intValue ?? 0 == count { return true }
      }
      return false
    }
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(try isTold("Sea"))
    #expect(try node.hued("add", "Sea", "red").status == 0)
    #expect(try isTold("Sea", count: 1))
    #expect(try node.hued("title", "Sea", "Ocean").status == 0)
    #expect(try isTold("Ocean", count: 1))
    #expect(try node.hued("drop", "Ocean", "--yes").status == 0)
    #expect(try isTold(nil))
    #expect(try node.hued("restore", "Ocean").status == 0)
    #expect(try isTold("Ocean", count: 1))
  }

  @Test func palettesAreToldInTheOrderOfTheirEdits() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    for name in ["Land", "Sea", "Wood"] { #expect(try node.hued("new", name).status == 0) }
    #expect(try node.hued("add", "Land", "red").status == 0)
    let client = try RPCClient(home: node.home)
    try client.send("library.watch", ["order": "edited", "limit": 2], id: 1)
    let listed = try client.answer()["result"]
    #expect(listed["palettes"].arrayValue?.map { $0["name"] } == ["Land", "Wood"])
    #expect(listed["more"] == true)
    let times = listed["palettes"].arrayValue?.compactMap { $0["edited"].stringValue } ?? []
    #expect(times.count == 2 && times[0] > times[1])
    // What stands far behind comes to the front with its first edit.
    #expect(try node.hued("add", "Sea", "blue").status == 0)
    let told = try notification("library.palettes", client)["changed"][0]
    #expect(told["name"] == "Sea" && told["count"].intValue == 1)
    #expect(try #require(told["edited"].stringValue) > times[0])
    try client.send("library.watch", ["order": "size"], id: 2)
    var refusal = try client.answer()
    while refusal["id"].intValue != 2 { refusal = try client.answer() }
    #expect(refusal["error"]["data"]["code"].stringValue == "bad-usage")
  }

  @Test func whoeverFollowsAViewIsToldOfWhichPaletteItIs() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    for name in ["Land", "Sea"] { #expect(try node.hued("new", name).status == 0) }
    var bob: RPCClient? = try RPCClient(home: node.home)
    try bob?.send("palette.present", ["palette": "Land", "name": "Bob"], id: 1)
    let who = try #require(try bob?.answer()["result"]["you"].stringValue)
    let ann = try RPCClient(home: node.home)
    func followed(by client: RPCClient) throws -> JSON? {
      try client.send(
        "palette.present",
        ["palette": "Sea", "name": "Ann", "follow": .string(who)],
        id: 1
      )
      while true {
        let message = try client.answer()
        if message["id"].intValue == 1 { return message["result"]["followed"] }
      }
    }
    let land = try JSON(answer: Array(try node.hued("list", "Land", "--json").output.utf8))
    #expect(try followed(by: ann) == land["palette"]["id"])
    // Those who may see one palette do not learn of another.
    let made = try node.hued("token", "Sea", "--role", "viewer", "--json").output
    let token = try #require(try JSON(answer: Array(made.utf8))["token"].stringValue)
    let headers = ["Authorization: Bearer \(token)"]
    let guest = RPCClient(try WebClient.open("/rpc", port: node.port, headers))
    #expect(try followed(by: guest) == .null)
    // The end of the connection is told, and from then on there is no such view.
    try ann.send("palette.watch", ["palette": "Land"], id: 2)
    while try notification("palette.presence", ann)["present"].arrayValue?.isEmpty == true {}
    bob = nil
    while try notification("palette.presence", ann)["present"].arrayValue?.isEmpty != true {}
    #expect(try followed(by: ann) == .null)
  }

  @Test func onlyWhatChangedOfTheListIsTold() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    for name in ["Land", "Sea"] { #expect(try node.hued("new", name).status == 0) }
    let made = try node.hued("token", "Land", "--role", "viewer", "--json").output
    let token = try #require(try JSON(answer: Array(made.utf8))["token"].stringValue)
    let all = try RPCClient(home: node.home)
    try all.send("library.watch", [:], id: 1)
    let list = try all.answer()["result"]["palettes"].arrayValue ?? []
    #expect(list.map { $0["name"].stringValue } == ["Land", "Sea"])
    let first = try RPCClient(home: node.home)
    try first.send("library.watch", ["limit": 1], id: 1)
    let part = try first.answer()["result"]
    #expect(part["palettes"].arrayValue?.map { $0["name"].stringValue } == ["Land"])
    #expect(part["more"] == true)
    let headers = ["Authorization: Bearer \(token)"]
    let one = RPCClient(try WebClient.open("/rpc", port: node.port, headers))
    try one.send("library.watch", ["limit": 1], id: 1)
    #expect(try one.answer()["result"]["palettes"].arrayValue?.count == 1)

    #expect(try node.hued("title", "Sea", "Ocean").status == 0)
    let renamed = try notification("library.palettes", all)
    #expect(renamed["changed"].arrayValue?.map { $0["id"] } == [list[1]["id"]])
    #expect(renamed["changed"][0]["name"] == "Ocean")
    #expect(renamed["added"] == [] && renamed["removed"] == [])
    // What was not listed is told of all the same.
    #expect(try notification("library.palettes", first)["changed"][0]["name"] == "Ocean")
    #expect(try node.hued("drop", "Ocean", "--yes").status == 0)
    // The digest that the new name made may be told before.
    var dropped = try notification("library.palettes", all)
    if dropped["removed"] == [] { dropped = try notification("library.palettes", all) }
    #expect(dropped["changed"] == [] && dropped["removed"][0] == list[1]["id"])
    // Whoever may see one palette hears of that one alone.
    #expect(try node.hued("title", "Land", "Earth").status == 0)
    #expect(try notification("library.palettes", one)["changed"][0]["name"] == "Earth")
  }

  @Test func aTokenOfOnePaletteLearnsWhoItIs() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("new", "Sea").status == 0)
    let made = try node.hued("token", "Sea", "--role", "viewer", "--name", "Bot", "--json").output
    let token = try #require(try JSON(answer: Array(made.utf8))["token"].stringValue)
    let headers = ["Authorization: Bearer \(token)"]
    let bot = RPCClient(try WebClient.open("/rpc", port: node.port, headers))
    try bot.send("whoami", [:], id: 1)
    let caller = try bot.answer()["result"]
    #expect(caller["author"] == "Bot" && caller["kind"] == "script")
    #expect(caller["role"].isNull && caller["grants"][0]["role"] == "viewer")
    // What is true of any color is nobody's secret.
    try bot.send("contrast", ["a": "black", "b": "white"], id: 2)
    #expect(try bot.answer()["result"]["ratio"].numberValue == 21)
    try bot.send("formats", [:], id: 3)
    #expect(try bot.answer()["result"]["formats"].arrayValue?.isEmpty == false)
    try bot.send("palettes", [:], id: 4)
    #expect(try bot.answer()["error"]["data"]["code"].stringValue == "not-allowed")
    let local = try node.hued("whoami", "--json").output
    #expect(try JSON(answer: Array(local.utf8))["role"] == "owner")
  }

  @Test func aShareHasAQRCodeOfItsLink() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("new", "Sea").status == 0)
    let share = try node.hued("share", "Sea", "--json").output
    let rows = try JSON(answer: Array(share.utf8))["qr"].arrayValue ?? []
    #expect(rows.count >= 21)
    #expect(rows.allSatisfy { $0.stringValue?.count == rows.count })
  }

  @Test func aJoinCodeOpensThePageOnceWithItsRole() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(try node.hued("new", "Land").status == 0)
    let share = try node.hued("share", "Sea", "--role", "viewer", "--json").output
    let link = try #require(try JSON(answer: Array(share.utf8))["link"].stringValue)
    #expect(link.hasPrefix(node.url + "/#hued1-"))
    let code = String(link.split(separator: "#")[1])
    let headers = ["Authorization: Bearer \(code)"]
    let session = try WebClient.get("/session", port: node.port, headers)
    #expect(session.status == 200)
    let cookie = try #require(session.header("set-cookie")?.split(separator: ";").first)
    #expect(try WebClient.get("/session", port: node.port, headers).status == 401)
    let page = RPCClient(
      try WebClient.open("/rpc", port: node.port, ["Cookie: \(cookie)"])
    )
    let half = try #require(try JSON(answer: Array(session.body.utf8))["half"].stringValue)
    try page.send("session", ["half": .string(half)], id: 0)
    #expect(try page.answer()["error"].isNull)
    try page.send("library.watch", [:], id: 1)
    let palettes = try page.answer()["result"]["palettes"].arrayValue ?? []
    #expect(palettes.map { $0["name"].stringValue } == ["Sea"])
    try page.send("list", ["palette": "Sea"], id: 2)
    #expect(try page.answer()["result"]["colors"].arrayValue?.isEmpty == true)
    try page.send("add", ["palette": "Sea", "value": "red"], id: 3)
    #expect(try page.answer()["error"]["data"]["code"].stringValue == "not-allowed")
    // What it may see it may see the conflicts of, and of nothing else.
    try page.send("conflicts", ["palette": "Sea"], id: 5)
    #expect(try page.answer()["result"]["conflicts"].arrayValue?.isEmpty == true)
    for parameters in [JSONObject(), ["palette": "Land"]] {
      try page.send("conflicts", .object(parameters), id: 6)
      #expect(try page.answer()["error"]["data"]["code"].stringValue != nil)
    }
    try page.send("list", ["palette": "Land"], id: 4)
    #expect(try page.answer()["error"]["data"]["code"].stringValue == "not-found")
    // Revoking ends it at once.
    let tokens = try JSON(answer: Array(try node.hued("tokens", "--json").output.utf8))
    let id = try #require(tokens["tokens"].arrayValue?.first?["id"].stringValue)
    #expect(try node.hued("revoke", id).status == 0)
    #expect(throws: (any Error).self) { while true { _ = try page.answer() } }
    // The page learns why it is refused; a stranger learns nothing.
    let refused = try WebClient.get("/session", port: node.port, ["Cookie: \(cookie)"])
    #expect(refused.status == 401)
    #expect(try JSON(answer: Array(refused.body.utf8))["refusal"].stringValue == "revoked")
    let other = cookie.hasSuffix("0") ? "1" : "0"
    let stranger = try WebClient.get(
      "/session",
      port: node.port,
      ["Cookie: \(cookie.dropLast())\(other)"]
    )
    #expect(stranger.status == 401 && !stranger.body.contains("revoked"))
  }
}
