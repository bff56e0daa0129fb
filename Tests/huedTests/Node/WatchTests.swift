import Foundation
import PalettePlatform
import PaletteTestSupport
import Testing

@testable import hued

/// `hued watch` as the shell sees it.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct WatchTests {
  /// A command whose output is read while it runs.
  private final class Running {
    let process = Process()
    let output = Pipe()
    let error = Pipe()

    init(_ arguments: [String], home: String) throws {
      process.executableURL = URL(fileURLWithPath: Shell.hued)
      process.arguments = arguments
      process.environment = ["HUED_HOME": home]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = error
      try process.run()
    }

    deinit {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }

    func event() throws -> [String: Any] {
      let lines = RunningNode.lines(1, of: output.fileHandleForReading)
      let line = try #require(lines.first)
      #expect(lines.count == 1)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      )
    }

    func end(_ signal: CInt) -> Int32 {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  @Test func twoWatchersGetADiffThroughTheNode() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    _ = try node.hued("new", "Sea")
    let watchers = try (0..<2).map { _ in try Running(["watch", "Sea", "--json"], home: node.home) }
    for watcher in watchers {
      let snapshot = try watcher.event()
      #expect(snapshot["event"] as? String == "snapshot")
      #expect((snapshot["colors"] as? [Any])?.isEmpty == true)
    }
    _ = try node.hued("add", "Sea", "#123456", "Deep")
    for watcher in watchers {
      let diff = try watcher.event()
      #expect(
        Set(diff.keys) == [
          "event", "palette", "deletions", "insertions", "moves", "updates", "node", "author",
          "stamp",
        ]
      )
      let insertion = try #require((diff["insertions"] as? [[String: Any]])?.first)
      #expect(insertion["index"] as? Int == 0)
      #expect((insertion["color"] as? [String: Any])?["hex"] as? String == "#123456")
    }
    _ = try node.hued("set", "Sea", "Deep", "#654321")
    let update = try #require((try watchers[0].event()["updates"] as? [[String: Any]])?.first)
    #expect((update["was"] as? [String: Any])?["hex"] as? String == "#123456")
    #expect((update["color"] as? [String: Any])?["hex"] as? String == "#654321")
    #expect(watchers[0].end(SIGINT) == 130)
    #expect(node.end() == (0, false))
    watchers[1].process.waitUntilExit()
    #expect(watchers[1].process.terminationStatus == 1)
  }

  @Test func tellsWhereAPeerStands() throws {
    let folder = try TemporaryFolder()
    let hub = try RunningNode(home: folder.file("hub"))
    let member = try RunningNode(home: folder.file("member"))
    _ = try hub.hued("new", "Sea")
    let shared = try hub.hued("share")
    #expect(try member.hued("join", shared.output.trimmingCharacters(in: .newlines)).status == 0)
    let watcher = try Running(["watch", "Sea", "--json"], home: member.home)
    #expect(try watcher.event()["event"] as? String == "snapshot")
    _ = hub.end()
    func standing(_ wanted: String) throws {
      for _ in 0..<10 {
        let event = try watcher.event()
        #expect(Set(event.keys) == ["event", "peers"] && event["event"] as? String == "state")
        let peer = try #require((event["peers"] as? [[String: Any]])?.first)
        if peer["state"] as? String == wanted { return }
      }
      Issue.record("never \(wanted)")
    }
    try standing("offline")
    let again = try RunningNode(home: hub.home, ["--listen", "127.0.0.1:\(hub.port)"])
    try standing("live")
    _ = again.end()
  }

  @Test func tellsWhatAPeerDid() throws {
    let folder = try TemporaryFolder()
    let hub = try RunningNode(home: folder.file("hub"))
    let member = try RunningNode(home: folder.file("member"))
    _ = try hub.hued("new", "Sea")
    let shared = try hub.hued("share", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(shared.output.utf8)) as? [String: Any]
    let code = try #require(object?["code"] as? String)
    let joined = try member.hued("join", code)
    #expect(joined.status == 0, "\(joined.error)")
    let watchers = try [hub, member].map { try Running(["watch", "Sea", "--json"], home: $0.home) }
    for watcher in watchers { #expect(try watcher.event()["event"] as? String == "snapshot") }
    for node in [hub, member] {
      _ = try node.hued("add", "Sea", "red")
      for watcher in watchers {
        #expect((try watcher.event()["insertions"] as? [Any])?.count == 1)
      }
    }
  }

  @Test func followsTheFileWithoutANode() throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    func hued(_ arguments: String...) throws -> Shell.Result {
      try Shell.run(Shell.hued, arguments, home: home)
    }
    _ = try hued("new", "Sea")
    let watcher = try Running(["watch", "Sea", "--json"], home: home)
    #expect(try watcher.event()["event"] as? String == "snapshot")
    _ = try hued("add", "Sea", "red")
    let diff = try watcher.event()
    #expect((diff["insertions"] as? [Any])?.count == 1)
    #expect((diff["stamp"] as? String)?.count == 16)
    _ = try hued("drop", "Sea", "--yes")
    #expect((try watcher.event()["deletions"] as? [Any])?.count == 1)
    #expect(watcher.end(SIGINT) == 130)
    let note = String(decoding: watcher.error.fileHandleForReading.availableData, as: UTF8.self)
    #expect(note.contains("nothing is synced"))
  }

  @Test func tellsThatThereIsNoSuchPalette() throws {
    let folder = try TemporaryFolder()
    let alone = try Shell.run(Shell.hued, ["watch", "Sea"], home: folder.file("home"))
    #expect(alone.status == 3)
    #expect(!FileManager.default.fileExists(atPath: folder.file("home")))
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("watch", "Sea", "--json").status == 3)
  }
}
