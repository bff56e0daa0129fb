import Foundation
import PalettePlatform
import PaletteTestSupport
import Testing

@testable import hued

/// `hued serve` as the shell sees it.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct ServeTests {
  @Test func answersCommandsThroughItsSocket() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    #expect(node.url.hasPrefix("http://127.0.0.1:"))
    #expect(node.link.hasPrefix(node.url + "/#"))
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(try node.hued("add", "Sea", "tomato").status == 0)
    let list = try node.hued("list", "Sea", "--json")
    #expect(list.output.contains(##""hex":"#ff6347""##))
    #expect(list.error == "")
    let missing = try node.hued("list", "Lake", "--json")
    #expect(missing.status == 3)
    #expect(missing.error.contains(#""code":"not-found""#))
    let status = try node.hued("status", "--json")
    #expect(status.output.contains(#""running":true,"listening":["\#(node.url)"]"#))
    #expect(node.end() == (0, false))
    #expect(node.restOfOutput == "")
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.file("home"))) == [
        "library.sqlite", "lock", "opened",
      ]
    )
    let after = try node.hued("list", "Sea", "--json")
    #expect(after.output == list.output)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func drainsOnASignal(_ signal: CInt) throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    let start = ContinuousClock.now
    #expect(node.end(signal) == (0, false))
    #expect(ContinuousClock.now - start < .patiently(seconds: 5))
  }

  @Test func goesOnAfterAHangUp() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    kill(node.processID, SIGHUP)
    try node.waitForLog("asked to read the certificate again")
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(node.end() == (0, false))
  }

  @Test func readsACertificateAgain() throws {
    let folder = try TemporaryFolder()
    // The node's own files, which another node is given as if they were bought.
    let maker = try RunningNode(home: folder.file("maker"), ["--listen", "0.0.0.0:0"])
    #expect(maker.end() == (0, false))
    let files = ["certificate.pem", "key.pem"].map { folder.file("maker/\($0)") }
    let node = try RunningNode(
      home: folder.file("home"),
      ["--listen", "127.0.0.1:0", "--tls-cert", files[0], "--tls-key", files[1]]
    )
    #expect(node.url.hasPrefix("https://"))
    kill(node.processID, SIGHUP)
    try node.waitForLog("the certificate was read again")
    try Data("broken".utf8).write(to: URL(fileURLWithPath: files[0]))
    kill(node.processID, SIGHUP)
    try node.waitForLog("the certificate before stays in use")
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(node.end() == (0, false))
  }

  @Test(
    arguments: [
      (["--listen", "nonsense"], "cannot find nonsense"),
      (["--listen", "0.0.0.0:0", "--behind-proxy"], "--public-url"),
      (["--listen", "a:b:c"], "no address"),
    ] as [([String], String)]
  )
  func refusesSettingsBeforeItMakesAnything(_ arguments: [String], _ reason: String) throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    let result = try Shell.run(Shell.hued, ["serve"] + arguments, home: home)
    #expect(result.status == 2 && result.output == "")
    #expect(result.error.contains(reason), "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: home))
  }

  @Test func closesAHomeThatOthersMayEnter() throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: home)[.posixPermissions] as? Int
    }
    mkdir(home, 0o777)
    try Data().write(to: URL(fileURLWithPath: home + "/note"))
    chmod(home, 0o777)
    let made = try Shell.run(Shell.hued, ["new", "Sea"], home: home)
    #expect(made.status == 0)
    #expect(made.error.contains("others could enter \(home) (mode 777)"))
    #expect(try mode() == 0o700)
    #expect(try Shell.run(Shell.hued, ["new", "Lake"], home: home).error == "")
    chmod(home, 0o755)
    let node = try RunningNode(home: home)
    #expect(node.log.contains("others could enter"))
    #expect(try mode() == 0o700)
    #expect(node.end() == (0, false))
    guard geteuid() == 0 else { return }
    chown(home, 12_345, 12_345)
    let refused = try Shell.run(Shell.hued, ["new", "Pond"], home: home)
    #expect(refused.status == 7)
    #expect(refused.error.contains("belongs to another user"))
  }

  @Test func leavesTheLibraryToOneNode() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    let second = try node.hued("serve", "--listen", "127.0.0.1:0", "--json")
    #expect(second.status == 7)
    #expect(second.error.contains(#""code":"locked""#))
    #expect(second.output == "")
    #expect(try node.hued("palettes").status == 0)
    let recovered = try node.hued("recover", "/dev/null", "--yes", "--json")
    #expect(recovered.status == 7)
  }

  @Test func startsAgainAfterASuddenEnd() throws {
    let folder = try TemporaryFolder()
    let home = folder.file("home")
    let node = try RunningNode(home: home)
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(node.end(SIGKILL) == (SIGKILL, true))
    #expect(FileManager.default.fileExists(atPath: home + "/node.sock"))
    // Without a node, commands work in their own process beside the dead socket.
    #expect(try node.hued("add", "Sea", "red").status == 0)
    let next = try RunningNode(home: home)
    #expect(try next.hued("status", "--json").output.contains(#""running":true"#))
    #expect(try next.hued("list", "Sea").output.contains("#ff0000"))
  }

  @Test func worksInAHomeWithALongPath() throws {
    let folder = try TemporaryFolder()
    let home = folder.file(String(repeating: "long", count: 40))
    let node = try RunningNode(home: home)
    var status = stat()
    #expect(lstat(home + "/node.sock", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(try node.hued("status", "--json").output.contains(#""running":true"#))
  }

  @Test(
    arguments: [
      (["--listen", "nowhere:what"], 2), (["--tls-cert", "a"], 2),
      (["--public-url", "ftp://a"], 2),
      (["--tls-cert", "/dev/null", "--tls-key", "/dev/null"], 2), (["--allow-origin", "a b"], 2),
      (["--listen", "192.0.2.1:1"], 1),
    ] as [([String], Int32)]
  )
  func refusesToStart(_ arguments: [String], _ status: Int32) throws {
    let folder = try TemporaryFolder()
    let result = try Shell.run(Shell.hued, ["serve"] + arguments, home: folder.file("home"))
    #expect(result.status == status, "\(result.error)")
    #expect(result.output == "")
    // Neither a library nor a certificate is made for what cannot be.
    #expect(try folder.names == [])
  }

  @Test func tellsThatAPortIsTaken() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("a"))
    let address = "127.0.0.1:\(node.port)"
    let result = try Shell.run(Shell.hued, ["serve", "--listen", address], home: folder.file("b"))
    #expect(result.status == 1)
    #expect(result.error.contains("cannot listen on \(address): Address already in use"))
  }

  @Test func logsLinesOfJSON() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    _ = node.end()
    let lines = node.log.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["time"] != nil && object?["level"] != nil && object?["message"] != nil)
    }
    #expect(!node.log.contains(node.code))
  }
}
