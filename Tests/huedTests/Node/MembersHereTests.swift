import Foundation
import PaletteCommands
import PaletteJSON
import PaletteTestSupport
import Testing

@testable import hued

/// An owner sees who is here, what they look at and what they lack.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct MembersHereTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func json(_ node: RunningNode, _ arguments: String...) throws -> JSON {
    let result = try Shell.run(Shell.hued, arguments + ["--json"], home: node.home)
    return try JSON(answer: Array(result.output.utf8))
  }

  /// Waits until a member stands as it is to.
  private func member(_ node: RunningNode, _ name: String, _ isSo: (JSON) -> Bool) throws -> JSON {
    let deadline = ContinuousClock.now + .patiently(seconds: 20)
    while true {
      let members = try json(node, "status")["members"].arrayValue ?? []
      let found = members.first { $0["name"].stringValue == name } ?? .null
      if isSo(found) || ContinuousClock.now > deadline { return found }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  @Test(arguments: ["relay", "viewer"])
  func machinesComeAndGo(_ role: String) throws {
    let hub = try RunningNode(home: folder.file("hub"))
    let palette = try json(hub, "new", "Sea")["id"]
    let code = try json(hub, "share", "Sea", "--role", role, "--name", "Ann")["code"].stringValue
    let here: JSON
    do {
      let machine = try RunningNode(home: folder.file("machine"))
      #expect(try machine.hued("join", try #require(code)).status == 0)
      _ = try json(hub, "add", "Sea", "red")
      here = try member(hub, "Ann") { $0["pending"].intValue == 0 && $0["state"] == "live" }
      #expect(here["state"] == "live" && here["kind"] == "machine" && here["pending"] == 0)
      #expect(
        here.objectValue?.members.map(\.key) == [
          "member", "name", "kind", "state", "since", "lastContact", "pending", "views",
        ]
      )
      let token = try json(hub, "tokens")["tokens"].arrayValue?.first
      let seen = try #require(token?["lastSeen"].stringValue)
      #expect(seen > (try #require(here["since"].stringValue)), "who is connected was seen now")
      let secret = try json(machine, "token", "--role", "owner")["token"].stringValue
      let bearer = "Authorization: Bearer \(try #require(secret))"
      let watch = RPCClient(try WebClient.open("/rpc", port: machine.port, [bearer]))
      try watch.send("palette.present", ["palette": "Sea", "name": "Ann"], id: 1)
      _ = try watch.answer()
      let looking = try member(hub, "Ann") { $0["views"] != [] }
      #expect(looking["views"].arrayValue == [palette ?? .null])
      _ = machine.end()
    }
    let gone = try member(hub, "Ann") { $0["state"] == "away" }
    #expect(gone["state"] == "away" && gone["views"] == [])
    for _ in 0..<3 { _ = try json(hub, "add", "Sea", "blue") }
    #expect(try member(hub, "Ann") { $0["pending"] == 3 }["pending"] == 3)
    let metrics = try WebClient.get("/metrics", port: hub.port).body
    #expect(metrics.contains("\nhued_members 1\n") && metrics.contains("hued_member_live{member="))
    let text = try Shell.run(Shell.hued, ["peers"], home: hub.home).output
    #expect(text.hasPrefix("member\tAnn\tmachine\taway\t"))
  }

  @Test func onlyOwnersAreTold() throws {
    let hub = try RunningNode(home: folder.file("hub"))
    _ = try json(hub, "new", "Sea")
    for (role, isTold) in [("editor", false), ("owner", true)] {
      let secret = try json(hub, "token", "--role", role, "--name", role)["token"].stringValue
      let bearer = "Authorization: Bearer \(try #require(secret))"
      let client = RPCClient(try WebClient.open("/rpc", port: hub.port, [bearer]))
      for method in ["status", "peers"] {
        try client.send(method, [:], id: 1)
        let members = try client.answer()["result"]["members"]
        #expect(members.isNull != isTold, "\(role) \(method)")
        guard isTold else { continue }
        let states = (members.arrayValue ?? []).map { $0["state"].stringValue }
        #expect(states.count == 2 && states.contains("live"))
      }
    }
  }
}
