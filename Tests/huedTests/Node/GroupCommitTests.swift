import Foundation
import Glibc
import PaletteNode
import PaletteTestSupport
import Testing

/// Many people who edit at once through one node.
@Suite(.timeLimit(.minutes(1 * Patience.factor)))
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
      #expect(answer["id"].integer == number)
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
    let count = 30_000
    let thread = Thread {
      for number in 0..<count { try? flood.send("color", ["value": "tomato"], id: number) }
    }
    thread.start()
    for number in 0..<20 {
      #expect(try node.hued("add", "Sea", "gold", "g\(number)").status == 0)
    }
    // Nothing is dropped: every call is answered, in order.
    for number in 0..<count {
      guard try flood.answer()["id"].integer == number else {
        Issue.record("call \(number) has another answer")
        return
      }
    }
  }
}
