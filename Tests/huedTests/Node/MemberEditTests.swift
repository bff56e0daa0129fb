import Foundation
import PaletteCommands
import PaletteJSON
import PaletteTestSupport
import Testing

@testable import hued

/// Several members edit through one node, each as an author of their own.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct MemberEditTests {
  /// A connection of a member, which sends one call after another.
  private final class Caller {
    private let client: RPCClient
    private var last = 0
    /// What came beside answers.
    private(set) var events: [JSON] = []

    init(_ node: RunningNode, token: String) throws {
      client = RPCClient(
        try WebClient.open("/rpc", port: node.port, ["Authorization: Bearer \(token)"])
      )
    }

    /// Sends a call whose answer nobody waits for.
    func begin(_ method: String, _ parameters: JSON) throws {
      last += 1
      try client.send(method, parameters, id: last)
    }

    func call(_ method: String, _ parameters: JSON) throws -> JSON {
      try begin(method, parameters)
      while true {
        let answer = try client.answer()
        if answer["id"].intValue == last { return answer }
        events.append(answer)
      }
    }

    /// The next event of a method.
    func event(_ method: String) throws -> JSON {
      while true {
        let next = events.isEmpty ? try client.answer() : events.removeFirst()
        if next["method"].stringValue == method { return next["params"] ?? .null }
      }
    }
  }

  private let folder: TemporaryFolder
  private let home: String

  init() throws {
    folder = try TemporaryFolder()
    home = folder.file("home")
  }

  private func json(_ node: RunningNode, _ arguments: String...) throws -> JSON {
    let result = try Shell.run(Shell.hued, arguments + ["--json"], home: node.home)
    return try JSON(answer: Array(result.output.utf8))
  }

  private func token(_ node: RunningNode, _ name: String) throws -> String {
    try #require(
      try json(node, "token", "--role", "editor", "--name", name)["token"].stringValue
    )
  }

  /// Everybody is told who did what: machines that joined, by what authors wrote into the palette.
  @Test func namesTravel() throws {
    let hub = try RunningNode(home: home)
    _ = try json(hub, "config", "set", "name", "Owner")
    _ = try json(hub, "new", "Sea")
    let machine = try RunningNode(home: folder.file("machine"))
    _ = try json(machine, "config", "set", "name", "Cleo")
    let code = try json(hub, "share", "Sea", "--role", "editor", "--name", "laptop")["code"]
      .stringValue
    _ = try json(machine, "join", try #require(code))
    let late = try RunningNode(home: folder.file("late"))
    let other = try json(hub, "share", "Sea", "--role", "viewer")["code"].stringValue
    _ = try json(late, "join", try #require(other))
    _ = try json(machine, "sync")

    let bot = try Caller(hub, token: token(hub, "Bot"))
    _ = try json(machine, "add", "Sea", "#ff0000", "a")
    _ = try json(machine, "sync")
    _ = try bot.call("add", ["palette": "Sea", "value": "#00ff00", "name": "b"])
    for node in [hub, machine, late] {
      let deadline = ContinuousClock.now + .patiently(seconds: 20)
      var authors: [String?] = []
      repeat {
        let changes = try json(node, "history", "Sea")["changes"].arrayValue ?? []
        authors = changes.map(\.["author"].stringValue)
      } while authors.count < 3 && ContinuousClock.now < deadline
      #expect(authors == ["Bot", "Cleo", "Owner"])
    }
  }

  /// Actions and reverting go by RPC too: an editor takes back what the owner did, and undoes that again.
  @Test func anEditorReverts() throws {
    let node = try RunningNode(home: home)
    _ = try json(node, "new", "Sea")
    let bot = try Caller(node, token: token(node, "Bot"))
    _ = try bot.call("add", ["palette": "Sea", "value": "#00ff00", "name": "b"])
    _ = try json(node, "rename", "Sea", "b", "Azure")
    func actions() throws -> [JSON] {
      let answer = try bot.call("history", ["palette": "Sea", "actions": true])["result"]
      return answer["actions"].arrayValue ?? []
    }
    let before = try actions()
    #expect(before.map(\.["summary"]) == ["renamed b to Azure", "added b", "made the palette Sea"])
    // Both authors are this library's, so both have an undo stack here.
    #expect(before.map(\.["undone"]) == [false, false, false])
    let target: JSON = ["palette": "Sea", "to": before[1]["action"] ?? .null]
    let answer = try bot.call("revert", target)["result"]
    #expect(answer["changed"].arrayValue?.first?["name"] == "b")
    let after = try actions()
    #expect(after.count == 4 && after[0]["kind"] == "revert" && after[0]["author"] == "Bot")
    _ = try bot.call("undo", ["palette": "Sea"])
    let colors = try json(node, "list", "Sea")["colors"].arrayValue ?? []
    #expect(colors.map(\.["name"]) == ["Azure"])
  }

  @Test func editsWaitWhereTheShareIsUsedUp() throws {
    let node = try RunningNode(home: home, ["--listen", "127.0.0.1:0", "--quota", "2k"])
    _ = try json(node, "new", "Sea")
    let bot = try Caller(node, token: token(node, "Bot"))
    var made = 0
    var answer: JSON = nil
    repeat {
      answer = try bot.call("add", ["palette": "Sea", "value": "#ff0000"])
      if answer["error"] == nil { made += 1 }
    } while answer["error"] == nil && made < 100
    #expect((10..<100).contains(made))
    #expect(answer["error"]["data"]["code"].stringValue == "over-quota")
    #expect(try bot.call("list", ["palette": "Sea"])["result"]["colors"].arrayValue?.count == made)
    // The owner has no share, and the next member one of its own.
    _ = try json(node, "add", "Sea", "#00ff00")
    let other = try Caller(node, token: token(node, "Other"))
    #expect(try other.call("add", ["palette": "Sea", "value": "#0000ff"])["error"] == nil)
    let metrics = try WebClient.get("/metrics", port: node.port).body
    #expect(metrics.contains("\nhued_over_quota_total 1\n"))
    let refused = try Shell.run(Shell.hued, ["serve", "--quota", "much"], home: folder.file("x"))
    #expect(refused.status == 2)
  }

  @Test func aMemberHasAnEndOfConnections() throws {
    let node = try RunningNode(home: home)
    let bearer = "Authorization: Bearer \(try token(node, "Bot"))"
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    while descriptors.count < 100,
      let one = try? WebClient.open("/rpc", port: node.port, [bearer])
    {
      descriptors.append(one)
    }
    #expect(descriptors.count == 64)
    _ = try Caller(node, token: token(node, "Other"))
    close(descriptors.removeLast())
    let deadline = ContinuousClock.now + .patiently(seconds: 10)
    var again: Int32?
    while again == nil, ContinuousClock.now < deadline {
      again = try? WebClient.open("/rpc", port: node.port, [bearer])
    }
    descriptors.append(try #require(again))
  }

  @Test func whatAnOwnerSharedEndsWithIt() throws {
    let node = try RunningNode(home: home)
    _ = try json(node, "new", "Sea")
    let made = try json(node, "token", "--role", "owner", "--name", "Boss")
    let boss = try Caller(node, token: try #require(made["token"].stringValue))
    let shared = try boss.call("token", ["role": "editor", "name": "Friend"])["result"]["token"]
    let friend = try Caller(node, token: try #require(shared.stringValue))
    #expect(try friend.call("add", ["palette": "Sea", "value": "red"])["error"] == nil)
    let lent = try json(node, "token", "--role", "owner", "--name", "Guest", "--expires", "1h")
    let guest = try Caller(node, token: try #require(lent["token"].stringValue))
    let further = try guest.call("token", ["role": "relay", "name": "Bot"])["result"]
    #expect(further["expires"] == lent["expires"] && further["expires"].stringValue != nil)
    let makers = try json(node, "tokens")["tokens"].arrayValue?.map { token in
      [token["name"].stringValue, token["grantedBy"]["name"].stringValue]
    }
    #expect(
      makers == [["Bot", "Guest"], ["Guest", nil], ["Friend", "Boss"], ["Boss", nil]]
    )
    _ = try json(node, "revoke", "Boss")
    let headers = ["Authorization: Bearer \(shared.stringValue ?? "")"]
    #expect(throws: POSIXError.self) {
      _ = try WebClient.open("/rpc", port: node.port, headers)
    }
    #expect(throws: (any Error).self) { try friend.call("list", ["palette": "Sea"]) }
    try node.waitForLog("made a token")
    try node.waitForLog("revoked")
  }

  @Test func revokedMemberLosesARunningImport() throws {
    let node = try RunningNode(home: home)
    _ = try json(node, "new", "Sea")
    _ = try json(node, "add", "Sea", "red")
    let bot = try Caller(node, token: token(node, "Bot"))
    let lines = (0..<25_000).map { "#\(String($0 + 0x100000, radix: 16))\tc\($0)\n" }
    let file: JSON = ["file": "Large.txt", "bytes": JSON(base64: Array(lines.joined().utf8))]
    try bot.begin("import", ["files": [file], "palette": "Sea"])
    let owner = try RPCClient(home: node.home)
    func count() throws -> Int {
      try owner.send("palettes", [:], id: 1)
      return try owner.answer()["result"]["palettes"]?[0]?["count"].intValue ?? 0
    }
    let deadline = ContinuousClock.now + .patiently(seconds: 60)
    while try count() < 2_000 { try #require(ContinuousClock.now < deadline) }
    _ = try json(node, "revoke", "Bot")
    var most = 0
    while try count() != 1 {
      most = max(most, try count())
      // Had it come to its end, nothing would be taken back.
      try #require(most < 25_001 && ContinuousClock.now < deadline)
    }
    #expect(try json(node, "list", "Sea")["colors"].arrayValue?.count == 1)
    #expect(try json(node, "doctor")["ok"].boolValue == true)
  }

  @Test func eachUndoesOnesOwn() throws {
    let node = try RunningNode(home: home)
    _ = try json(node, "config", "set", "name", "Owner")
    _ = try json(node, "new", "Sea")
    let ann = try Caller(node, token: token(node, "Ann"))
    let bob = try Caller(node, token: token(node, "Bob"))
    _ = try ann.call("palette.watch", ["palette": "Sea"])
    _ = try ann.call("add", ["palette": "Sea", "value": "#ff0000", "name": "a"])
    #expect(try ann.event("palette.diff")["author"].stringValue == "Ann")
    _ = try bob.call("add", ["palette": "Sea", "value": "#00ff00", "name": "b"])
    #expect(try ann.event("palette.diff")["author"].stringValue == "Bob")
    _ = try json(node, "add", "Sea", "#0000ff", "c")
    let diff = try ann.event("palette.diff")
    #expect(diff["author"].stringValue == "Owner")
    #expect(diff["node"].stringValue == (try json(node, "status"))["node"].stringValue)

    let changes = try json(node, "history", "Sea")["changes"].arrayValue ?? []
    #expect(changes.compactMap { $0["author"].stringValue } == ["Owner", "Bob", "Ann", "Owner"])
    #expect(Set(changes.compactMap { $0["node"].stringValue }).count == 3)

    let undone = try ann.call("undo", ["palette": "Sea"])["result"]["changed"].arrayValue
    #expect(undone?.count == 1 && undone?[0]["removed"].boolValue == true)
    #expect(
      try ann.call("undo", ["palette": "Sea"])["result"]["changed"].arrayValue?.isEmpty == true
    )
    let names = try json(node, "list", "Sea")["colors"].arrayValue?.map {
      $0["name"].stringValue ?? ""
    }
    #expect(names == ["b", "c"])
    _ = try json(node, "undo", "Sea")
    let rest = try json(node, "list", "Sea")["colors"].arrayValue?.map {
      $0["name"].stringValue ?? ""
    }
    #expect(rest == ["b"])
    #expect(try ann.call("redo", ["palette": "Sea"])["result"]["changed"].arrayValue?.count == 1)
    let redone = try json(node, "redo", "Sea")["changed"].arrayValue
    #expect(redone?.first?["name"].stringValue == "c")
    #expect(try json(node, "doctor")["ok"].boolValue == true)
    #expect(node.end() == (0, false))
  }

  @Test func whatWasNotSeenStaysBesideIt() throws {
    let node = try RunningNode(home: home)
    _ = try json(node, "new", "Sea")
    let added = try json(node, "add", "Sea", "#ff0000", "a")
    let ann = try Caller(node, token: token(node, "Ann"))
    let bob = try Caller(node, token: token(node, "Bob"))
    let snapshot = try bob.call("palette.watch", ["palette": "Sea"])["result"]
    let seen = added["seen"] ?? .null
    #expect(snapshot["colors"].arrayValue?[0]["seen"] == seen)
    _ = try ann.call("set", ["palette": "Sea", "color": "a", "value": "#00ff00", "seen": seen])
    let diff = try bob.event("palette.diff")
    let update = try #require(diff["updates"].arrayValue?.first)
    #expect(update["was"]["seen"] == seen && update["color"]["seen"] != seen)
    let answer = try bob.call(
      "set",
      ["palette": "Sea", "color": "a", "value": "#0000ff", "seen": seen]
    )
    #expect(answer["result"]["conflicts"].arrayValue?.compactMap(\.stringValue) == ["color"])
    let values = try json(node, "conflicts")["conflicts"].arrayValue?.first?["values"].arrayValue
    #expect(values?.map { $0["author"].stringValue } == ["Bob", "Ann"])
    let bad = try bob.call(
      "rename",
      ["palette": "Sea", "color": "a", "name": "b", "seen": "0000000000000001:1"]
    )
    #expect(bad["error"]["data"]["code"].stringValue == "bad-seen")
    #expect(node.end() == (0, false))
  }

  @Test func aMoveTellsWhatToHaveSeen() throws {
    let node = try RunningNode(home: home)
    _ = try json(node, "new", "Sea")
    _ = try json(node, "add", "Sea", "#ff0000", "a")
    _ = try json(node, "add", "Sea", "#00ff00", "b")
    let ann = try Caller(node, token: token(node, "Ann"))
    _ = try ann.call("palette.watch", ["palette": "Sea"])
    let moved = try json(node, "move", "Sea", "a", "--at", "1")
    let diff = try ann.event("palette.diff")
    #expect(diff["moves"].arrayValue?.count == 1 && diff["updates"].arrayValue?.isEmpty == true)
    #expect(diff["moves"].arrayValue?[0]["seen"] == moved["seen"])
    let removed = try ann.call(
      "remove",
      ["palette": "Sea", "colors": ["a"], "seen": moved["seen"] ?? .null]
    )
    #expect(removed["result"]["removed"].arrayValue?.count == 1)
    #expect(node.end() == (0, false))
  }

  @Test func anEditSentAgainAfterARestartWritesNothing() throws {
    var node = try RunningNode(home: home)
    _ = try json(node, "new", "Sea")
    let token = try token(node, "Ann")
    let add: JSON = [
      "palette": "Sea", "value": "#ff0000", "edit": "11111111-2222-4333-8444-555555555555",
      "id": "21111111-2222-4333-8444-555555555555",
    ]
    let first = try Caller(node, token: token).call("add", add)["result"]
    #expect(first["id"].stringValue == "21111111-2222-4333-8444-555555555555")
    #expect(node.end(SIGKILL) == (SIGKILL, true))
    node = try RunningNode(home: home)
    let digest = try json(node, "status")["digest"]
    #expect(try Caller(node, token: token).call("add", add)["result"] == first)
    #expect(try json(node, "status")["digest"] == digest)
    // Another member's edit of that name is another edit.
    let other = try Caller(node, token: self.token(node, "Bob")).call("add", add)
    #expect(other["error"]["data"]["code"].stringValue == "bad-value")
    #expect(node.end() == (0, false))
  }
}
