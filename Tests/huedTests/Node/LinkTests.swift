import Foundation
import PalettePlatform
import PaletteTestSupport
import Testing

/// Linked files, as other programs save them.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct LinkTests {
  private static let gpl = """
    GIMP Palette
    Name: Brand
    Columns: 4
    # made by hand
    255   0   0\tRed
      0 255   0\tGreen
      0   0 255\tBlue

    """

  /// A node with a file that is linked to a palette.
  private final class Linked {
    let folder: TemporaryFolder
    private(set) var node: RunningNode
    let path: String

    init(_ text: String = LinkTests.gpl, named name: String = "brand.gpl") throws {
      folder = try TemporaryFolder()
      path = folder.file(name)
      try folder.write(text, to: name)
      node = try RunningNode(home: folder.file("home"))
      let result = try node.hued("link", path, "--json")
      try #require(result.status == 0, "\(result.error)")
      #expect(result.output.contains(#""state":"live""#))
    }

    func restart(meanwhile: () throws -> Void = {}) throws {
      #expect(node.end(SIGKILL).isSignal)
      try meanwhile()
      node = try RunningNode(home: folder.file("home"))
    }

    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Names and hexadecimal values of the colors.
    var colors: [String] {
      get throws {
        try node.hued("list", "Brand").output.split(separator: "\n").map { line in
          let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
          return "\(fields[2]) \(fields[1])"
        }
      }
    }

    var state: String { get throws { try node.hued("links").output } }

    func wait(_ what: String, _ isSo: () throws -> Bool) throws {
      let end = ContinuousClock.now + .patiently(seconds: 10)
      while try !isSo() {
        if ContinuousClock.now >= end {
          Issue.record("\(what): \(try colors) \(try state) \(text) \(node.log)")
          return
        }
        usleep(20_000)
      }
    }

    func waitForColors(_ wanted: [String]) throws {
      try wait("the palette follows the file") { try colors == wanted }
    }

    func waitForText(_ wanted: String) throws {
      try wait("the file follows the palette") { text.contains(wanted) }
    }
  }

  @Test func aPaletteIsMadeFromTheFileAndFollowsIt() throws {
    let linked = try Linked()
    #expect(try linked.colors == ["Red #ff0000", "Green #00ff00", "Blue #0000ff"])
    try Shell.run("/bin/sed", ["-i", "s/Green/Lime/", linked.path]).expectSuccess()
    try linked.waitForColors(["Red #ff0000", "Lime #00ff00", "Blue #0000ff"])
    #expect(try linked.node.hued("undo", "Brand").status == 0)
    try linked.waitForText("Green")
  }

  @Test func aFileIsMadeFromThePaletteAndFollowsIt() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    for line in [["new", "Brand"], ["add", "Brand", "tomato", "Tomato"]] {
      #expect(try Shell.run(Shell.hued, line, home: node.home).status == 0)
    }
    let result = try node.hued("link", folder.file("brand.css"), "Brand")
    #expect(result.status == 0)
    #expect(try folder.text("brand.css").contains("--tomato: #ff6347"))
  }

  @Test func whatIsNoColorStaysAndSoDoModeAndLink() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.gpl, to: "real.gpl")
    chmod(folder.file("real.gpl"), 0o640)
    symlink("real.gpl", folder.file("link.gpl"))
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("link", folder.file("link.gpl"), "Brand").status == 0)
    #expect(try node.hued("set", "Brand", "Red", "#010203").status == 0)
    let end = ContinuousClock.now + .patiently(seconds: 10)
    while try !folder.text("real.gpl").contains("  1   2   3\tRed") {
      try #require(ContinuousClock.now < end, "\(node.log)")
      usleep(20_000)
    }
    #expect(try folder.text("real.gpl").contains("# made by hand"))
    var status = stat()
    #expect(lstat(folder.file("link.gpl"), &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(lstat(folder.file("real.gpl"), &status) == 0)
    #expect(status.st_mode == S_IFREG | 0o640)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["home", "home.log", "link.gpl", "real.gpl"]
    )
    // Another name for the same file is the same link.
    #expect(try node.hued("link", folder.file("real.gpl"), "Other").error.contains("already"))
    #expect(try node.hued("unlink", folder.file("real.gpl")).status == 0)
  }

  /// Who may write the folder makes the name lead to a file of the owner's, while the node runs or not.
  @Test(arguments: [false, true])
  func aSymbolicLinkInThePlaceOfTheFileIsNotFollowed(_ isDown: Bool) throws {
    let linked = try Linked()
    let secret = "GIMP Palette\n  9   8   7\tSecret\n"
    try linked.folder.write(secret, to: "secret.gpl")
    let kept = linked.path + ".kept"
    func swap() {
      rename(linked.path, kept)
      symlink(linked.folder.file("secret.gpl"), linked.path)
    }
    if isDown { try linked.restart(meanwhile: swap) } else { swap() }
    try linked.wait("the link to pause") { try linked.state.contains("leads to another file") }
    #expect(try linked.state.contains("\tpaused\t"))
    #expect(try linked.node.hued("set", "Brand", "Red", "#010203").status == 0)
    try linked.wait("the edit") { try linked.colors.contains("Red #010203") }
    #expect(try !linked.colors.contains { $0.contains("Secret") })
    #expect(try linked.folder.text("secret.gpl") == secret)
    // The file itself comes back, and is followed again.
    rename(kept, linked.path)
    try linked.wait("the file to follow") { linked.text.contains("  1   2   3\tRed") }
    #expect(try linked.state.contains("\tlive\t"))
    #expect(try linked.folder.text("secret.gpl") == secret)
  }

  /// A symbolic link that was linked leads where it led then.
  @Test func aSymbolicLinkThatLeadsElsewherePausesTheLink() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.gpl, to: "real.gpl")
    let secret = "GIMP Palette\n  9   8   7\tSecret\n"
    try folder.write(secret, to: "secret.gpl")
    symlink("real.gpl", folder.file("link.gpl"))
    let node = try RunningNode(home: folder.file("home"))
    #expect(try node.hued("link", folder.file("link.gpl"), "Brand").status == 0)
    symlink("secret.gpl", folder.file("other"))
    rename(folder.file("other"), folder.file("link.gpl"))
    let end = ContinuousClock.now + .patiently(seconds: 10)
    while try !node.hued("links").output.contains("leads to another file") {
      try #require(ContinuousClock.now < end, "\(node.log)")
      usleep(20_000)
    }
    #expect(try !node.hued("list", "Brand").output.contains("Secret"))
    #expect(try folder.text("secret.gpl") == secret)
  }

  @Test func editorsSaveInManyWays() throws {
    let linked = try Linked()
    // As vim does: the old file gets another name, and a new one its name.
    let vim = Self.gpl.replacing("Red", with: "Rose")
    rename(linked.path, linked.path + "~")
    try vim.write(toFile: linked.path, atomically: false, encoding: .utf8)
    try linked.waitForColors(["Rose #ff0000", "Green #00ff00", "Blue #0000ff"])
    // In several steps, with the file open and half of it there.
    let rest = vim.replacing("Blue", with: "Sky").utf8
    let descriptor = open(linked.path, O_WRONLY | O_TRUNC)
    for (part, delay) in [(rest.prefix(90), 400_000), (rest.dropFirst(90), 0)] {
      let bytes = Array(part)
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      usleep(UInt32(delay))
    }
    close(descriptor)
    try linked.waitForColors(["Rose #ff0000", "Green #00ff00", "Sky #0000ff"])
    let history = try linked.node.hued("history", "Brand", "--json").output
    #expect(!history.contains(#""kind":"delete""#), "half a file removes nothing")
    // A new file beside it takes its place.
    try vim.replacing("Green", with: "Moss").write(
      toFile: linked.path,
      atomically: true,
      encoding: .utf8
    )
    try linked.waitForColors(["Rose #ff0000", "Moss #00ff00", "Blue #0000ff"])
  }

  @Test(arguments: ["", "GIMP Palette\n", "<html>", "GIMP Palette\nName: Brand\n#\n"])
  func aFileThatIsNoPaletteAnyMoreRemovesNothing(_ text: String) throws {
    let linked = try Linked()
    try text.write(toFile: linked.path, atomically: false, encoding: .utf8)
    try linked.wait("the link pauses") { try !linked.state.contains("live") }
    #expect(try linked.colors.count == 3)
    try Self.gpl.replacing("Red", with: "Rose")
      .write(toFile: linked.path, atomically: false, encoding: .utf8)
    try linked.waitForColors(["Rose #ff0000", "Green #00ff00", "Blue #0000ff"])
    #expect(try linked.state.contains("live"))
    #expect(linked.node.log.contains("live again"))
  }

  @Test func aFileThatGoesComesBack() throws {
    let linked = try Linked()
    unlink(linked.path)
    try linked.wait("the link pauses") { try linked.state.contains("the file is gone") }
    #expect(try linked.node.hued("set", "Brand", "Blue", "navy").status == 0)
    try Self.gpl.replacing("Red", with: "Rose")
      .write(toFile: linked.path, atomically: false, encoding: .utf8)
    try linked.waitForColors(["Rose #ff0000", "Green #00ff00", "Blue #000080"])
    try linked.waitForText("0   0 128")
  }

  @Test func bothSidesChangeWhileTheNodeIsDown() throws {
    let linked = try Linked()
    try linked.restart {
      #expect(
        try Shell.run(Shell.hued, ["set", "Brand", "Blue", "navy"], home: linked.node.home).status
          == 0
      )
      try Self.gpl.replacing("Red", with: "Rose")
        .write(toFile: linked.path, atomically: false, encoding: .utf8)
    }
    try linked.waitForColors(["Rose #ff0000", "Green #00ff00", "Blue #000080"])
    try linked.waitForText("0   0 128")
  }

  @Test func aDroppedPalettePausesItsFile() throws {
    let linked = try Linked()
    #expect(try linked.node.hued("drop", "Brand", "--yes").status == 0)
    try linked.wait("the link pauses") { try linked.state.contains("dropped") }
    #expect(linked.text == Self.gpl)
    #expect(try linked.node.hued("restore", "Brand").status == 0)
    try linked.wait("the link goes on") { try linked.state.contains("live") }
  }

  @Test func withoutANodeBothSayTheSameOnce() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.gpl, to: "brand.gpl")
    let home = folder.file("home")
    let result = try Shell.run(Shell.hued, ["link", folder.file("brand.gpl")], home: home)
    #expect(result.status == 0)
    #expect(result.error.contains("hued serve"))
    #expect(try Shell.run(Shell.hued, ["list", "Brand"], home: home).output.contains("Green"))
    let links = try Shell.run(Shell.hued, ["links"], home: home).output
    #expect(links.contains("paused\tno node runs"))
    #expect(
      try Shell.run(Shell.hued, ["unlink", folder.file("brand.gpl")], home: home).status == 0
    )
    #expect(try Shell.run(Shell.hued, ["links"], home: home).output == "")
  }

  @Test func whatCannotBeLinkedIsRefused() throws {
    let folder = try TemporaryFolder()
    let node = try RunningNode(home: folder.file("home"))
    mkfifo(folder.file("pipe.gpl"), 0o600)
    mkdir(folder.file("folder.gpl"), 0o700)
    try folder.write("nothing", to: "bad.gpl")
    mkdir(folder.file("Red.colorset"), 0o700)
    try folder.write("{\"colors\": [{\"idiom\": \"universal\"}]}", to: "Red.colorset/Contents.json")
    let cases: [(file: String, status: Int32, word: String)] = [
      (folder.file("pipe.gpl"), 2, "pipe"), (folder.file("folder.gpl"), 2, "folder"),
      ("/dev/null", 2, "device"), (folder.file("none/brand.gpl"), 3, "no folder"),
      (folder.file("new.gpl"), 3, "neither"), (folder.file("new.png"), 2, "only be written"),
      (folder.file("home/x.gpl"), 2, "folder of the library"), (folder.file("bad.gpl"), 2, "GIMP"),
      (folder.file("Red.colorset"), 2, "folder"), (folder.file("new.xcassets"), 2, "folder"),
      (folder.file("Red.colorset/Contents.json"), 2, "Xcode"),
    ]
    for (file, status, word) in cases {
      let result = try node.hued("link", file)
      #expect(result.status == status, "\(file): \(result.error)")
      #expect(result.error.contains(word), "\(file): \(result.error)")
    }
    #expect(try node.hued("links", "--json").output == "{\"links\":[]}\n")
    #expect(try node.hued("unlink", folder.file("new.gpl")).status == 3)
  }
}

extension Shell.Result {
  fileprivate func expectSuccess() {
    #expect(status == 0, "\(error)")
  }
}
