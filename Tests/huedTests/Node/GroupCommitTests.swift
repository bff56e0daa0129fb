import Foundation
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PalettePlatform
import PaletteTestSupport
import Testing

/// Many people who edit at once through one node.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct GroupCommitTests {
  private func transactions(of node: RunningNode) throws -> Int {
    let metrics = try WebClient.get("/metrics", port: node.port).body
    let line = try #require(
      metrics.split(separator: "\n").first { $0.hasPrefix("hued_transactions_total ") }
    )
    return try #require(Int(line.split(separator: " ")[1]))
  }

  @Test func editsThatArriveTogetherAreCommittedTogether() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("new", "Sea").status == 0)
    let before = try transactions(of: node)
    let count = 40
    let clients = try (0..<4).map { _ in try RPCClient(home: node.home) }
    for number in 0..<count {
      // One edit in four fails, and harms no other.
      let value = number % 4 == 3 ? "no color" : "#0000ff"
      try clients[number % 4].send(
        "add",
        ["palette": "Sea", "value": .init(value), "name": .init("c\(number)")],
        id: number
      )
    }
    var failures = 0
    for number in 0..<count {
      let answer = try clients[number % 4].answer()
      #expect(answer["id"].intValue == number)
      if !answer["error"].isNull { failures += 1 }
    }
    #expect(failures == count / 4)
    let list = try node.hued("list", "Sea").output
    #expect(list.split(separator: "\n").count == count - failures)
    #expect(try transactions(of: node) - before < count - failures)
    // Each edit is undone for itself.
    #expect(try node.hued("undo", "Sea").status == 0)
    let rest = try node.hued("list", "Sea").output
    #expect(rest.split(separator: "\n").count == count - failures - 1)
  }

  @Test func aFloodOfCallsLetsOthersIn() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("new", "Sea").status == 0)
    let flood = try RPCClient(home: node.home)
    let count = 10_000
    let thread = Thread {
      for number in 0..<count { try? flood.send("color", ["value": "tomato"], id: number) }
    }
    thread.start()
    for number in 0..<20 {
      #expect(try node.hued("add", "Sea", "gold", "g\(number)").status == 0)
    }
    // Nothing is dropped: every call is answered, in order.
    for number in 0..<count {
      guard try flood.answer()["id"].intValue == number else {
        Issue.record("call \(number) has another answer")
        return
      }
    }
  }

  @Test func aBatchLetsOthersInBetweenItsCalls() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    let file = folder.file("Sea.hex")
    let colors = (0..<150).map { "#\(String(0x100000 + $0, radix: 16))" }
    try colors.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try node.hued("import", file).status == 0)
    let long = try RPCClient(home: node.home)
    let short = try RPCClient(home: node.home)
    let list = #"{"jsonrpc":"2.0","id":1,"method":"list","params":{"palette":"Sea"}}"#
    let add =
      #"{"jsonrpc":"2.0","id":2,"method":"add","params":{"palette":"Sea","value":"red"}}"#
    let calls = Array(repeating: list, count: 63) + [add]
    try long.send(text: Array("[\(calls.joined(separator: ","))]".utf8))
    try short.send("color", ["value": "tomato"], id: 3)
    #expect(try short.answer()["id"].intValue == 3)
    #expect(long.hasNoAnswer)
    let answers = try #require(try long.answer().arrayValue)
    #expect(answers.map { $0["id"].intValue } == Array(repeating: 1, count: 63) + [2])
    #expect(answers.allSatisfy { $0["error"].isNull })
  }
}
