import Foundation
import PaletteCommands
import PaletteJSON
import PalettePlatform
import PaletteTestSupport
import Testing

@testable import hued

/// Several machines, each a home with the real program.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct SyncTests {
  /// A hub in a process of its own, and homes that join it.
  private final class Fleet {
    let folder: TemporaryFolder
    var hub: RunningNode

    init() throws {
      folder = try TemporaryFolder()
      hub = try RunningNode(home: folder.file("hub"))
      #expect(try hub.hued("new", "Sea").status == 0)
    }

    /// Starts the hub again at its port.
    func restartHub() throws {
      hub = try RunningNode(home: hub.home, ["--listen", "127.0.0.1:\(hub.port)"])
    }

    func code(_ arguments: String...) throws -> String {
      let result = try Shell.run(Shell.hued, ["share"] + arguments, home: hub.home)
      #expect(result.status == 0, "\(result.error)")
      return result.output.trimmingCharacters(in: .newlines)
    }

    func run(_ name: String, _ arguments: String...) throws -> Shell.Result {
      try Shell.run(Shell.hued, arguments, home: folder.file(name))
    }

    /// A home that has joined the hub, with a node that runs.
    func member(_ name: String, share: String...) throws -> RunningNode {
      let code = try Shell.run(Shell.hued, ["share"] + share, home: hub.home).output
      let joined = try run(name, "join", code.trimmingCharacters(in: .newlines), "--json")
      #expect(joined.status == 0, "\(joined.error)")
      return try RunningNode(home: folder.file(name))
    }

    func digest(_ name: String) throws -> String? {
      try JSON(answer: Array(try run(name, "status", "--json").output.utf8))["digest"].stringValue
    }

    /// Waits until all homes hold the same and nothing is pending.
    func settle(_ names: String...) throws {
      let deadline = ContinuousClock.now + .patiently(seconds: 30)
      while ContinuousClock.now < deadline {
        let states = try (names + ["hub"]).map { name in
          try JSON(answer: Array(try run(name, "status", "--json").output.utf8))
        }
        let isSettled =
          Set(states.map { $0["digest"].stringValue }).count == 1
          && states.allSatisfy { $0["pending"].intValue == 0 }
        if isSettled { return }
        usleep(20_000)
      }
      Issue.record("not settled: \(try names.map { try run($0, "status", "--json").output })")
    }
  }

  @Test func aPaletteLargerThanAnyQueueIsJoined() throws {
    let fleet = try Fleet()
    let colors = (0..<40_000).map { index in
      let digits = String(index, radix: 16)
      return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
    let file = fleet.folder.file("large.hex")
    try colors.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try fleet.hub.hued("import", file, "--palette", "Large").status == 0)
    let ann = try fleet.member("ann")
    try fleet.settle("ann")
    #expect(try ann.hued("palettes", "--json").output.contains("\"count\":40000"))
    _ = ann.end()
  }

  @Test func anEditTravelsThroughTheHub() throws {
    let fleet = try Fleet()
    let ann = try fleet.member("ann")
    let cleo = try fleet.member("cleo", share: "Sea", "--role", "editor")
    #expect(try ann.hued("add", "Sea", "tomato", "Tom").status == 0)
    #expect(try cleo.hued("add", "Sea", "gold", "Gold").status == 0)
    try fleet.settle("ann", "cleo")
    let list = try cleo.hued("list", "Sea", "--json").output
    #expect(list.contains("Tom") && list.contains("Gold"))
    #expect(try ann.hued("list", "Sea", "--json").output == list)
  }

  @Test func aKilledHubLosesNothing() throws {
    let fleet = try Fleet()
    let ann = try fleet.member("ann")
    let bob = try fleet.member("bob")
    for number in 0..<10 {
      #expect(try ann.hued("add", "Sea", "#0000ff", "a\(number)").status == 0)
      if number == 4 {
        _ = fleet.hub.end(SIGKILL)
      }
      if number == 7 { try fleet.restartHub() }
      #expect(try bob.hued("add", "Sea", "#00ff00", "b\(number)").status == 0)
    }
    try fleet.settle("ann", "bob")
    let list = try fleet.run("hub", "list", "Sea", "--json").output
    for number in 0..<10 {
      #expect(list.contains("\"a\(number)\"") && list.contains("\"b\(number)\""))
    }
  }

  @Test func concurrentEditsAreSiblingsEverywhere() throws {
    let fleet = try Fleet()
    #expect(try fleet.run("hub", "add", "Sea", "tomato", "Tom").status == 0)
    for name in ["ann", "bob"] {
      #expect(try fleet.run(name, "join", try fleet.code()).status == 0)
    }
    _ = fleet.hub.end()
    #expect(try fleet.run("ann", "rename", "Sea", "Tom", "Ann's").status == 0)
    #expect(try fleet.run("bob", "rename", "Sea", "Tom", "Bob's").status == 0)
    try fleet.restartHub()
    for name in ["ann", "bob", "ann"] { #expect(try fleet.run(name, "sync").status == 0) }
    try fleet.settle("ann", "bob")
    let conflicts = try fleet.run("hub", "conflicts", "--json").output
    #expect(conflicts.contains("Ann's") && conflicts.contains("Bob's"))
  }

  @Test func editsWithoutANodeSyncOrWait() throws {
    let fleet = try Fleet()
    #expect(try fleet.run("ann", "join", try fleet.code()).status == 0)
    let synced = try fleet.run("ann", "add", "Sea", "tomato", "Tom")
    #expect(synced.status == 0 && synced.error == "hued: synced\n")
    #expect(try fleet.run("hub", "list", "Sea").output.contains("Tom"))
    _ = fleet.hub.end()
    let saved = try fleet.run("ann", "add", "Sea", "gold", "Gold")
    #expect(saved.status == 0)
    #expect(saved.error.hasPrefix("hued: saved; 1 change waiting: \(fleet.hub.url) is unreachable"))
    let status = try fleet.run("ann", "status", "--json").output
    #expect(status.contains(#""inSync":false"#) && status.contains("1 change wait"))
    #expect(try fleet.run("ann", "sync", "--json").status == 5)
    try fleet.restartHub()
    let sync = try fleet.run("ann", "sync", "--json")
    #expect(sync.status == 0)
    #expect(sync.output.contains(#""sent":1"#) && sync.output.contains(#""pending":0"#))
    #expect(try fleet.run("hub", "list", "Sea").output.contains("Gold"))
  }

  @Test func codesThatGiveNoRightAreRefused() throws {
    let fleet = try Fleet()
    let code = try fleet.code()
    #expect(try fleet.run("ann", "join", code).status == 0)
    let used = try fleet.run("bob", "join", code, "--json")
    #expect(used.status == 6 && used.error.contains("not-allowed"))
    let expired = try fleet.code("--expires", "1s")
    let deadline = ContinuousClock.now + .patiently(seconds: 10)
    var isListed = true
    while isListed, ContinuousClock.now < deadline {
      let tokens = try fleet.run("hub", "tokens", "--json").output
      isListed = tokens.contains("\"node\":null")
    }
    #expect(try fleet.run("bob", "join", expired).status == 6)
    #expect(try fleet.run("bob", "join", "hued1-nonsense").status == 2)
    #expect(try fleet.run("bob", "peers", "--json").output == "{\"peers\":[],\"members\":[]}\n")
    #expect(try fleet.run("cleo", "join", "nonsense").status == 2)
    #expect(!FileManager.default.fileExists(atPath: fleet.folder.file("cleo")))
    #expect(try fleet.run("ann", "share").status == 5)
    #expect(try fleet.run("ann", "leave", "nobody").status == 3)
    #expect(try fleet.run("ann", "leave", fleet.hub.port).status == 0)
    #expect(try fleet.run("ann", "peers", "--json").output == "{\"peers\":[],\"members\":[]}\n")
  }

  @Test func aViewerLooksAndWritesNothing() throws {
    let fleet = try Fleet()
    #expect(try fleet.run("hub", "add", "Sea", "tomato", "Tom").status == 0)
    #expect(try fleet.run("ann", "join", try fleet.code("Sea", "--role", "viewer")).status == 0)
    let before = try fleet.digest("ann")
    for edit in [
      ["add", "Sea", "red"], ["rename", "Sea", "Tom", "Tim"], ["drop", "Sea", "--yes"],
    ] {
      let result = try Shell.run(Shell.hued, edit + ["--json"], home: fleet.folder.file("ann"))
      #expect(result.status == 6 && result.error.contains("not-allowed"), "\(edit)")
    }
    let file = fleet.folder.file("sea.hex")
    try Data("ff0000\n".utf8).write(to: URL(filePath: file))
    let imported = try fleet.run("ann", "import", file, "--palette", "Sea", "--json")
    #expect(imported.status == 6 && imported.output.contains("not-allowed"))
    #expect(try fleet.digest("ann") == before)
    // What it makes itself is its own.
    #expect(try fleet.run("ann", "new", "Mine").status == 0)
    let own = try fleet.run("ann", "add", "Mine", "red")
    #expect(own.status == 0)
    // Nobody is to get it, so nothing is said of that.
    #expect(own.error == "")
  }

  /// What an editor wrote before is no sign that the palette is its own.
  @Test func anEditorWhoBecomesAViewerWritesNothing() throws {
    let fleet = try Fleet()
    #expect(try fleet.run("ann", "join", try fleet.code("Sea", "--role", "editor")).status == 0)
    #expect(try fleet.run("ann", "add", "Sea", "red").status == 0)
    let tokens = try JSON(parsing: Array(try fleet.run("hub", "tokens", "--json").output.utf8))
    let id = try #require(tokens["tokens"].arrayValue?.first?["id"].stringValue)
    #expect(try fleet.run("hub", "revoke", id).status == 0)
    #expect(try fleet.run("ann", "join", try fleet.code("Sea", "--role", "viewer")).status == 0)
    #expect(try fleet.run("ann", "add", "Sea", "blue").status == 6)
  }

  @Test func aRevokedPeerIsRefusedAtOnce() throws {
    let fleet = try Fleet()
    let ann = try fleet.member("ann")
    let tokens = try JSON(
      parsing: Array(try fleet.run("hub", "tokens", "--json").output.utf8)
    )
    let id = try #require(tokens["tokens"].arrayValue?.first?["id"].stringValue)
    #expect(try fleet.run("hub", "revoke", id, "--json").output == "{\"revoked\":\"\(id)\"}\n")
    let deadline = ContinuousClock.now + .patiently(seconds: 10)
    var peers = ""
    while ContinuousClock.now < deadline, !peers.contains("\"refused\"") {
      peers = try ann.hued("peers", "--json").output
    }
    #expect(peers.contains(#""state":"refused""#))
    #expect(try ann.hued("add", "Sea", "red", "Red").status == 0)
    #expect(try ann.hued("sync").status == 6)
    #expect(try fleet.run("hub", "list", "Sea").output == "")
    #expect(try fleet.run("hub", "tokens", "--json").output == "{\"tokens\":[]}\n")
  }

  @Test func thePastComesFromThePeerWhenItIsAskedFor() throws {
    let fleet = try Fleet()
    #expect(try fleet.run("hub", "add", "Sea", "tomato", "Tom").status == 0)
    #expect(try fleet.run("hub", "rename", "Sea", "Tom", "Tim").status == 0)
    #expect(try fleet.run("hub", "rename", "Sea", "Tim", "Tam").status == 0)
    let history = try fleet.run("hub", "history", "Sea", "--json").output
    let changes = try #require(try JSON(answer: Array(history.utf8))["changes"].arrayValue)
    let then = try #require(changes[1]["time"].stringValue)
    #expect(try fleet.run("ann", "join", try fleet.code()).status == 0)
    func forget(_ name: String) throws {
      let now = Date.now.addingTimeInterval(60).ISO8601Format()
      #expect(try fleet.run(name, "compact", "--before", now, "--yes").status == 0)
    }
    // Without a node, and through one.
    try forget("ann")
    let past = try fleet.run("ann", "list", "Sea", "--at", then, "--json")
    #expect(past.status == 0 && past.output.contains("\"Tim\""), "\(past.error)")
    #expect(try fleet.run("ann", "history", "Sea", "--json").output == history)
    let ann = try RunningNode(home: fleet.folder.file("ann"))
    let deadline = ContinuousClock.now + .patiently(seconds: 20)
    while ContinuousClock.now < deadline {
      if try ann.hued("status", "--json").output.contains(#""state":"live""#) { break }
    }
    try forget("ann")
    #expect(try ann.hued("history", "Sea", "--json").output == history)
    // Where nobody can be asked, it says so.
    try forget("ann")
    _ = fleet.hub.end()
    let lost = try ann.hued("list", "Sea", "--at", then)
    #expect(lost.status == 3 && lost.error.contains("known since"), "\(lost.error)")
  }
}
