import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteNode
import PaletteTestSupport
import Testing

/// What is said of long work that a node does, or that is done beside one.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct NodeProgressTests {
  private static let count = 10_000
  /// Each color once, as a list of hexadecimal digits.
  private static let file = Array(
    (0..<count).map { String($0 + 0x100000, radix: 16) }.joined(separator: "\n").utf8
  )

  /// What a call of a home tells until it is answered.
  private func progress(
    of method: String,
    _ parameters: JSON,
    at home: String
  ) throws -> [Progress] {
    var reported: [Progress] = []
    let location = LibraryLocation(home: home, configurationFile: home + "/config.json")
    let client = LibraryClient(
      at: location,
      progress: { if !$0.work.isEmpty { reported.append($0) } }
    )
    _ = try client.call(Request(method: method, parameters: parameters))
    return reported
  }

  private func files(_ names: [String]) -> JSON {
    JSON(names.map { ["file": JSON($0), "bytes": JSON(base64: Self.file)] })
  }

  @Test func aNodeTellsHowFarAnImportIs() throws {
    let home = try TestHome()
    let node = try RunningNode(home: home.path)
    let one = try progress(of: "import", ["files": files(["sea.hex"])], at: node.home)
    let ofOne = one.filter { $0.unit == .colors }
    #expect(!ofOne.isEmpty && ofOne.allSatisfy { $0.total == Self.count })
    // Several palettes are several pieces of work, and one count.
    let all = try progress(
      of: "import",
      ["files": files(["a.hex", "b.hex", "c.hex"])],
      at: node.home
    )
    #expect(!all.isEmpty && all.allSatisfy { $0.unit == .colors && $0.total == 3 * Self.count })
    #expect(all.map(\.done) == all.map(\.done).sorted())
  }

  @Test func whoeverDoesNotAskIsToldNothing() throws {
    let home = try TestHome()
    let node = try RunningNode(home: home.path)
    let client = try RPCClient(home: node.home)
    let lines = Array(
      (0..<5_000).map { String($0 + 0x1000, radix: 16) }.joined(separator: "\n").utf8
    )
    let parameters: JSON = ["files": [["file": "sea.hex", "bytes": JSON(base64: lines)]]]
    try client.send("import", parameters, id: 7)
    let answer = try client.answer()
    #expect(answer["id"] == 7 && answer["result"] != nil)
  }

  /// An export reads the file itself: a node has others to serve.
  @Test func anExportTellsHowFarItIsBesideANodeToo() throws {
    let home = try TestHome()
    let node = try RunningNode(home: home.path)
    _ = try progress(of: "import", ["files": files(["sea.hex"])], at: node.home)
    let reported = try progress(of: "export", ["palette": "sea"], at: node.home)
    #expect(reported.contains(Progress("Exporting", .colors, done: 8_192, of: Self.count)))
  }
}
