import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteNode

/// Compactions as a node carries them out: found beside its loop, removed in steps.
final class StepwiseCompactionTests {
  private let folder: TemporaryLibrary
  private let library: OpenLibrary
  private let palettes: [PaletteID]
  private var store: ChangeStore { library.store }

  init() throws {
    folder = try TemporaryLibrary()
    library = try OpenLibrary(in: folder)
    let store = library.store
    palettes = try ["Brand", "Other"].map { try store.makePalette(named: $0) }
    for (palette, count) in [(palettes[0], 2_500), (palettes[1], 30)] {
      try store.write { transaction throws(StoreError) in
        for number in 0..<count {
          let name = RegisterValue(text: "Name \(number)")
          _ = try transaction.palette(palette)?.author(.set(palette.record, [.name: name]))
        }
      }
    }
  }

  /// Compacts all; `between` is called after each step.
  private func compact(
    between: (Int) throws -> Void = { _ in }
  ) throws -> SteppedAnswer {
    let request = Request(method: "compact", parameters: ["before": "now"])
    let piece = try #require(CommandTable.command(named: "compact")?.callInTurns)
    let done = try library.answerInSteps(request, prepared: piece, between: between)
    #expect(done.slowWorks == done.works)
    return done
  }

  private func removed(_ answer: JSON) -> [Int] {
    (answer["palettes"].arrayValue ?? []).compactMap { $0["removed"].intValue }.sorted()
  }

  @Test func takesStepsAndTellsWhatItRemoved() throws {
    let done = try compact()
    #expect(removed(done.answer) == [30, 2_500])
    #expect(done.answer["removed"] == 2_530 && done.answer["changes"] == 2_532)
    #expect(done.steps > 6 && done.works == 3)
    #expect(try store.verify().isEmpty)
    let again = try compact()
    // One look at all of them is enough where nothing is found.
    #expect(again.answer["removed"] == 0 && again.works == 2)
    #expect(again.answer["bytesAfter"].intValue ?? 0 <= done.answer["bytesBefore"].intValue ?? 0)
  }

  @Test func othersEditBetweenTheSteps() throws {
    var edits = 0
    let done = try compact { step in
      edits += 1
      let request = Request(
        method: "add",
        parameters: ["palette": JSON(palettes[0].description), "value": "red"]
      )
      _ = try library.answer(request)
    }
    #expect(done.works == 3 && removed(done.answer) == [30, 2_500])
    #expect(try store.colors(of: palettes[0]).count == edits && store.verify().isEmpty)
  }

  @Test func aPaletteWhoseLogIsAlteredIsPlannedAgain() throws {
    let palette = palettes[0]
    var snapshots = 0
    let done = try compact { _ in
      guard snapshots < 2, try !store.floors(of: palette).isEmpty,
        let snapshot = try store.snapshot(of: palette)
      else { return }
      snapshots += 1
      #expect(try store.merge(snapshot, into: palette).refusal == nil)
    }
    #expect(done.works == 5 && removed(done.answer) == [30, 2_500])
    #expect(done.answer["changes"] == 2_532)
    #expect(try store.verify().isEmpty)
  }

  @Test func whereItIsAlteredAgainAndAgainTheRestStays() throws {
    let palette = palettes[0]
    let done = try compact { _ in
      guard let snapshot = try store.snapshot(of: palette) else { return }
      #expect(try store.merge(snapshot, into: palette).refusal == nil)
    }
    #expect(removed(done.answer) == [0, 30] && done.answer["changes"] == 2_532)
    #expect(try store.verify().isEmpty)
    #expect(try compact().answer["removed"] == 2_500)
  }

  @Test func goesOnOnceItHasBegun() throws {
    let request = Request(method: "compact", parameters: ["before": "now"])
    let piece = try #require(CommandTable.command(named: "compact")?.callInTurns)
    var begun: [Bool] = []
    while let unfinished = try library.answer(request, prepared: piece) as? Unfinished {
      unfinished.work?()
      begun.append(piece.goesOn)
    }
    #expect(begun.first == false && begun.last == true)
    #expect(!piece.fail(APIError(code: "not-allowed", message: "revoked")))
  }
}
