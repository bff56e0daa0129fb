import Foundation
import PaletteCommands
import PaletteJSON
import PaletteTestSupport
import Testing

/// What a node reads and writes down beside its loop.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct SlowCallTests {
  /// More than a node reads on its loop.
  private static let count = 3_000

  /// A node with a palette of many colors.
  private func node(_ folder: borrowing TemporaryFolder) throws -> RunningNode {
    let node = try RunningNode(home: folder.file("home"))
    let file = folder.file("Sea.hex")
    let lines = (0..<Self.count).map { String($0 + 0x100000, radix: 16) }.joined(separator: "\n")
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try node.hued("import", file).status == 0)
    return node
  }

  @Test func callsOfAConnectionKeepTheirOrder() throws {
    let folder = try TemporaryFolder()
    let node = try node(folder)
    let client = try RPCClient(home: node.home)
    let export: JSON = ["palette": "Sea", "format": "hex"]
    try client.send("export", export, id: 1)
    try client.send("add", ["palette": "Sea", "value": "#00ff00"], id: 2)
    try client.send("export", export, id: 3)
    try client.send("list", ["palette": "Sea"], id: 4)
    let answers = try (0..<4).map { _ in try client.answer() }
    #expect(answers.map { $0["id"].intValue } == [1, 2, 3, 4])
    #expect(answers[0]["result"]["colors"].intValue == Self.count)
    // What was answered before is seen.
    #expect(answers[2]["result"]["colors"].intValue == Self.count + 1)
    #expect(answers[3]["result"]["colors"].arrayValue?.count == Self.count + 1)
  }

  @Test func whatEditsALongPaletteIsDoneWhereItCanWrite() throws {
    let folder = try TemporaryFolder()
    let node = try node(folder)
    let client = try RPCClient(home: node.home)
    try client.send("history", ["palette": "Sea", "actions": true, "limit": 1], id: 1)
    let before = try client.answer()["result"]["actions"][0]["action"] ?? .null
    try client.send("sort", ["palette": "Sea", "by": "hue"], id: 2)
    #expect(try client.answer()["result"]["colors"].arrayValue?.count == Self.count)
    try client.send("undo", ["palette": "Sea"], id: 3)
    #expect(try client.answer()["error"].isNull)
    try client.send("add", ["palette": "Sea", "value": "#00ff00"], id: 4)
    #expect(try client.answer()["error"].isNull)
    try client.send("revert", ["palette": "Sea", "to": before], id: 5)
    #expect(try client.answer()["error"].isNull)
    try client.send("list", ["palette": "Sea"], id: 6)
    #expect(try client.answer()["result"]["colors"].arrayValue?.count == Self.count)
  }

  @Test func aBatchIsAnsweredTogether() throws {
    let folder = try TemporaryFolder()
    let node = try node(folder)
    let client = try RPCClient(home: node.home)
    let call: (Int, String, JSON) -> JSON = { id, method, parameters in
      ["jsonrpc": "2.0", "id": JSON(id), "method": JSON(method), "params": parameters]
    }
    let batch: JSON = .array([
      call(1, "distinct", ["count": 2, "from": "Sea"]), call(2, "palettes", [:]),
      call(3, "export", ["palette": "Nothing"]), call(4, "export", ["palette": "Sea"]),
    ])
    try client.send(text: batch.bytes)
    let answers = try #require(try client.answer().arrayValue)
    #expect(answers.map { $0["id"].intValue } == [1, 2, 3, 4])
    #expect(answers[0]["result"]["colors"].arrayValue?.count == 2)
    #expect(answers[2]["error"]["data"]["code"].stringValue == "not-found")
    #expect(answers[3]["result"]["colors"].intValue == Self.count)
  }

  @Test func aTokenOfOnePaletteReadsNoOther() throws {
    let folder = try TemporaryFolder()
    let node = try node(folder)
    #expect(try node.hued("new", "Small").status == 0)
    let made = try node.hued("token", "Small", "--role", "viewer", "--json")
    let token = try #require(try JSON(answer: Array(made.output.utf8))["token"].stringValue)
    let bearer = "Authorization: Bearer \(token)"
    let client = RPCClient(try WebClient.open("/rpc", port: node.port, [bearer]))
    try client.send("export", ["palette": "Sea"], id: 1)
    #expect(try client.answer()["error"]["data"]["code"].stringValue == "not-found")
    #expect(try WebClient.get("/p/Sea.css", port: node.port, [bearer]).status == 404)
  }

  @Test func everybodyGetsTheSameFile() async throws {
    let folder = try TemporaryFolder()
    let node = try node(folder)
    #expect(try node.hued("share", "Sea", "--public").status == 0)
    let port = node.port
    let files = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { try WebClient.get("/p/Sea.css", port: port) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(files.allSatisfy { $0.status == 200 })
    #expect(
      Set(files.map(\.body)).count == 1 && Set(files.compactMap { $0.header("etag") }).count == 1
    )
    let tag = try #require(files[0].header("etag"))
    #expect(try WebClient.get("/p/Sea.css", port: port, ["If-None-Match: \(tag)"]).status == 304)
    #expect(try node.hued("add", "Sea", "#00ff00").status == 0)
    let next = try WebClient.get("/p/Sea.css", port: port)
    #expect(next.header("etag") != tag && next.body != files[0].body)
  }

  @Test func nobodyWaitsForACompaction() throws {
    let folder = try TemporaryFolder()
    let node = try node(folder)
    let (owner, other) = (try RPCClient(home: node.home), try RPCClient(home: node.home))
    for (id, order) in ["hue", "lightness", "hue", "lightness"].enumerated() {
      try owner.send("sort", ["palette": "Sea", "by": JSON(order)], id: id)
      #expect(try owner.answer()["error"].isNull)
    }
    try owner.send("compact", ["before": "now"], id: 4)
    var answers = 0
    while owner.hasNoAnswer {
      try other.send("add", ["palette": "Sea", "value": "#00ff00"], id: answers)
      #expect(try other.answer()["error"].isNull)
      answers += 1
    }
    // Two may come before it, and with it.
    #expect(answers > 3)
    let compacted = try owner.answer()["result"]
    #expect(compacted["removed"].intValue ?? 0 > 2 * Self.count)
    try other.send("list", ["palette": "Sea"], id: answers)
    let colors = try other.answer()["result"]["colors"].arrayValue ?? []
    #expect(colors.count == Self.count + answers)
  }
}
