import Foundation
import PaletteCommands
import PaletteJSON
import PaletteTestSupport
import Testing

/// What watchers hear of edits for which the disk has no room.
@Suite(.enabled(if: Mount.isPossible), .timeLimit(.minutes(15 * TestPatience.factor)))
struct WatchingFullDiskTests {
  @Test func watchersHearOfNothingThatWasNotMade() throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let mount = try Mount(tmpfsAt: home, bytes: 512 << 10)
    let node = try RunningNode(home: home)
    #expect(try node.hued("new", "Sea").status == 0)
    let watcher = try RPCClient(home: home)
    try watcher.send("palette.watch", ["palette": "Sea"], id: 0)
    #expect(try watcher.answer()["result"]["event"] == "snapshot")
    let editor = try RPCClient(home: home)
    let name = String(repeating: "n", count: 1_000)
    var made = 0
    var failures = 0
    for number in 0..<400 where failures < 3 {
      let answer = try add("\(name)\(number)", editor)
      if answer["error"].isNull {
        made += 1
      } else {
        failures += 1
        #expect(answer["error"]["data"]["code"] == "disk-full")
      }
    }
    #expect(made > 0 && failures == 3)
    try mount.resize(bytes: 8 << 20)
    #expect(try add("after", editor)["error"].isNull)
    // Each color that was added stands where its diff says, and so there is no diff of any other.
    for index in 0...made {
      let insertions = try watcher.answer()["params"]["insertions"].arrayValue ?? []
      #expect(insertions.map { $0["index"].intValue } == [index])
      if index == made { #expect(insertions.first?["color"]["name"] == "after") }
    }
  }

  private func add(_ name: String, _ client: RPCClient) throws -> JSON {
    try client.send("add", ["palette": "Sea", "value": "red", "name": .init(name)], id: 1)
    return try client.answer()
  }
}
