import PaletteCommands
import PaletteJSON
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteNode

/// Large imports as a node carries them out: in steps, of which the comparison is done beside its loop.
final class StepwiseImportTests {
  private let folder: TemporaryLibrary
  private let library: OpenLibrary
  private var store: ChangeStore { library.store }

  init() throws {
    folder = try TemporaryLibrary()
    library = try OpenLibrary(in: folder)
  }

  private func prepared(_ count: Int, _ name: String) throws -> (Request, PreparedCall) {
    let lines = (0..<count).map { "#\(String($0 + 0x100000, radix: 16))\t\(name) \($0)" }
    let file: JSON = [
      "file": "Large.txt",
      "bytes": JSON(base64: Array((lines.joined(separator: "\n") + "\n").utf8)),
    ]
    let parameters: JSON = ["files": [file]]
    let command = CommandTable.command(named: "import")
    let pieces = try command?.prepare?(parameters.objectValue ?? [:]) ?? []
    #expect(pieces.count == 1)
    return (Request(method: "import", parameters: parameters), try #require(pieces.first))
  }

  /// Carries out an import, and gives the answer and how many steps it took before.
  private func run(_ count: Int, _ name: String) throws -> SteppedAnswer {
    let (request, piece) = try prepared(count, name)
    return try library.answerInSteps(request, prepared: piece)
  }

  private func colors() throws -> [String] {
    try store.palettes().flatMap { try store.colors(of: $0.id).map(\.color.name) }
  }

  @Test func whatIsLargeTakesStepsAndIsOneAction() throws {
    #expect(try run(100, "a").steps == 0)
    let large = try run(3_000, "a")
    #expect(large.steps > 5 && large.works == 1)
    #expect(large.answer["files"]?[0]?["inserted"] == 2_900)
    let renamed = try run(3_000, "b")
    #expect(renamed.steps > 5 && renamed.answer["files"]?[0]?["updated"] == 3_000)
    // Few colors over many are many deletions.
    let few = try run(10, "b")
    #expect(few.steps > 5 && few.answer["files"]?[0]?["deleted"] == 2_990)
    #expect(try colors().count == 10)
    _ = try library.answer(Request(method: "undo", parameters: ["palette": "Large"]))
    #expect(try colors() == (0..<3_000).map { "b \($0)" })
  }

  @Test func whatIsNotMadeDurableIsTakenBackAtOnce() throws {
    _ = try run(10, "a")
    let before = try colors()
    let (request, piece) = try prepared(2_500, "b")
    for step in 0..<3 {
      let unfinished = try #require(try library.answer(request, prepared: piece) as? Unfinished)
      unfinished.work?()
      #expect(piece.goesOn == (step > 0))
    }
    #expect(try colors().count == 1_000)
    // The disk is full, as the node learns when it commits.
    #expect(piece.fail(APIError(code: "disk-full", message: "full")))
    // Each step takes one part back.
    #expect(try library.answer(request, prepared: piece) is Unfinished && piece.goesOn)
    #expect(try colors().count < 1_000)
    do throws(APIError) {
      _ = try library.answer(request, prepared: piece)
      Issue.record("an import was answered of which a part is missing")
    } catch {
      #expect(error.code == "disk-full")
    }
    #expect(try colors() == before && !piece.goesOn)
    _ = try library.answer(Request(method: "undo", parameters: ["palette": "Large"]))
    #expect(try colors().isEmpty)
  }
}
