import PaletteCommands
import PaletteJSON
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteNode

/// Edits of many colors as a node carries them out: planned and answered beside its loop, written in parts.
final class StepwiseEditTests {
  private let folder: TemporaryLibrary
  private let library: OpenLibrary
  private let count = 3_000
  private var store: ChangeStore { library.store }

  init() throws {
    folder = try TemporaryLibrary()
    library = try OpenLibrary(in: folder)
    let id = try store.makePalette(named: "Brand")
    let colors = (0..<count).map { number in
      // By hue they stand otherwise than they were added.
      let mixed = UInt32(truncatingIfNeeded: number) &* 2_654_435_761
      return NamedColor(
        name: "Color \(number)",
        color: Color(
          red8: UInt8(truncatingIfNeeded: mixed),
          green8: UInt8(truncatingIfNeeded: mixed >> 8),
          blue8: UInt8(truncatingIfNeeded: mixed >> 16)
        )
      )
    }
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(id) else { return }
      try writer.act(try writer.appending(colors))
    }
  }

  private func colors() throws -> [NamedColor] {
    try store.palettes().flatMap { try store.colors(of: $0.id).map(\.color) }
  }

  private func request(_ method: String, _ parameters: JSON) -> Request {
    var members = parameters.objectValue ?? [:]
    members["palette"] = "Brand"
    return Request(method: method, parameters: .object(members))
  }

  private func prepared(_ method: String) throws -> PreparedCall {
    try #require(CommandTable.command(named: method)?.callInTurns)
  }

  /// Carries out an edit; `between` is called after each step.
  @discardableResult
  private func run(
    _ method: String,
    _ parameters: JSON = [:],
    between: (Int) throws -> Void = { _ in }
  ) throws -> SteppedAnswer {
    try library.answerInSteps(
      request(method, parameters),
      prepared: try prepared(method),
      between: between
    )
  }

  private func atOnce(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    try library.answer(request(method, parameters)).json
  }

  @Test func sortingTakesStepsAndIsOneActionThatIsUndoneInSteps() throws {
    let old = try colors()
    let sorted = try run("sort", ["by": "hue"])
    #expect(sorted.steps > 10 && sorted.works == 2)
    let new = try colors()
    #expect(new != old && Set(new) == Set(old))
    let ids = (sorted.answer["colors"].arrayValue ?? []).compactMap { $0["id"].stringValue }
    #expect(ids == new.map(\.id.description))
    let undone = try run("undo")
    #expect(undone.steps > 10 && undone.works == 2 && undone.answer["canRedo"] == true)
    #expect(try colors() == old)
    let redone = try run("redo")
    #expect(redone.steps > 10 && redone.answer["changed"].arrayValue?.isEmpty == false)
    #expect(try colors() == new && store.verify().isEmpty)
  }

  @Test func removingRecoloringAndRevertingTakeSteps() throws {
    let old = try colors()
    let half = old.prefix(count / 2).map { JSON($0.id.description) }
    let removed = try run("remove", ["colors": .array(half + half)])
    #expect(removed.steps > 5 && removed.answer["removed"].arrayValue?.count == half.count)
    #expect(try colors() == Array(old.suffix(count / 2)))
    let edits = old.suffix(count / 2).map { color -> JSON in
      ["method": "set", "color": JSON(color.id.description), "value": "#010203"]
    }
    #expect(try run("act", ["edits": .array(edits)]).steps > 5)
    #expect(try colors().allSatisfy { $0.color.hex == "#010203" })
    let actions = try atOnce("history", ["actions": true])["actions"].arrayValue ?? []
    let adding = actions.first { $0["summary"].stringValue?.hasPrefix("added") == true }
    let first = try #require(adding?["action"].stringValue)
    let reverted = try run("revert", ["to": JSON(first)])
    #expect(reverted.steps > 10 && reverted.answer["changed"].arrayValue?.count == count)
    #expect(try colors() == old)
    _ = try atOnce("undo")
    #expect(try colors().count == count / 2 && store.verify().isEmpty)
  }

  @Test(arguments: [nil, 1_000])
  func addingTakesSteps(_ position: Int?) throws {
    let old = try colors()
    let new = (0..<1_500).map { JSON.object(["value": "teal", "name": JSON("New \($0)")]) }
    var parameters: JSONObject = ["value": "-", "colors": .array(new)]
    if let position { parameters["at"] = JSON(position) }
    let added = try run("add", .object(parameters)) { step in
      guard step == 4 else { return }
      _ = try atOnce("add", ["value": "red", "name": "Other", "at": 0])
    }
    #expect(added.steps > 5 && added.works == 2)
    let answers = added.answer["colors"].arrayValue ?? []
    #expect(answers.map { $0["name"].stringValue } == new.map { $0["name"].stringValue })
    let now = try colors()
    let indexes = answers.compactMap { $0["index"].intValue }
    #expect(indexes.map { now[$0].name } == new.map { $0["name"].stringValue })
    #expect(indexes.first == (position ?? count) + 1)
    // All is one action, and what another call did meanwhile is none of it.
    try run("undo")
    try run("undo")
    #expect(try colors() == old && store.verify().isEmpty)
  }

  @Test func whatTakesNoTimeTakesNoSteps() throws {
    _ = try run(
      "remove",
      ["colors": .array((try colors().dropFirst(40)).map { JSON($0.id.description) })]
    )
    for (method, parameters) in [("sort", ["by": "name"]), ("undo", [:]), ("redo", [:])]
      as [(String, JSON)]
    {
      #expect(try run(method, parameters).steps == 0, "\(method)")
    }
  }

  @Test func othersEditBetweenTheStepsAndKeepWhatTheyDid() throws {
    let old = try colors()
    let (gone, renamed) = (old[7].id.description, old[9].id.description)
    try run("sort", ["by": "lightness"]) { step in
      guard step == 3 else { return }
      _ = try atOnce("remove", ["colors": [JSON(gone)]])
      _ = try atOnce("rename", ["color": JSON(renamed), "name": "Mine"])
      _ = try atOnce("add", ["value": "red", "name": "New"])
    }
    let new = try colors()
    // What was removed meanwhile stays removed, although it had to be moved.
    #expect(new.count == count && !new.contains { $0.id.description == gone })
    #expect(new.first { $0.id.description == renamed }?.name == "Mine")
    #expect(new.contains { $0.name == "New" })
  }

  @Test func anActionThatCameMeanwhileLiesAboveTheOneThatWasUndone() throws {
    let old = try colors()
    try run("sort", ["by": "hue"])
    try run("undo") { step in
      if step == 5 { _ = try atOnce("add", ["value": "red", "name": "New"]) }
    }
    #expect(try colors().filter { $0.name != "New" } == old)
    #expect(try atOnce("undo")["summary"].stringValue?.contains("New") == true)
    #expect(try colors() == old)
    // Something new was done since, so the sorting cannot be made again.
    let redone = try atOnce("redo")
    #expect(redone["summary"].stringValue?.contains("New") == true && redone["canRedo"] == false)
  }

  @Test(arguments: ["sort", "undo", "redo"])
  func whatIsNotMadeDurableIsTakenBack(_ method: String) throws {
    if method != "sort" { try run("sort", ["by": "hue"]) }
    if method == "redo" { try run("undo") }
    let before = try colors()
    let parameters: JSON = method == "sort" ? ["by": "hue"] : [:]
    let (request, piece) = (request(method, parameters), try prepared(method))
    for _ in 0..<5 {
      let unfinished = try #require(try library.answer(request, prepared: piece) as? Unfinished)
      unfinished.work?()
    }
    #expect(try colors() != before && piece.goesOn)
    #expect(piece.fail(APIError(code: "disk-full", message: "full")))
    var steps = 0
    #expect {
      while try library.answer(request, prepared: piece) is Unfinished { steps += 1 }
    } throws: { ($0 as? APIError)?.code == "disk-full" }
    #expect(steps > 1 && !piece.goesOn)
    #expect(try colors() == before && store.verify().isEmpty)
    // It can be done after all.
    #expect(try run(method, parameters).steps > 10)
    #expect(try colors() != before)
  }

  @Test func anEditIsMadeOnceHoweverOftenItIsSent() throws {
    try run("sort", ["by": "hue"])
    let sorted = try colors()
    let edit: JSON = ["edit": "018bcfe5-6800-7000-8000-000000000001"]
    try run("undo", edit)
    let undone = try colors()
    #expect(undone != sorted)
    let again = try run("undo", edit)
    #expect(again.steps == 0 && again.answer["repeated"] == true)
    #expect(try colors() == undone)
  }

  @Test func whoIsRefusedAfterTheLastPartHasMadeTheEdit() throws {
    let (request, piece) = (request("sort", ["by": "hue"]), try prepared("sort"))
    var works = 0
    while works < 2 {
      let unfinished = try #require(try library.answer(request, prepared: piece) as? Unfinished)
      if let work = unfinished.work {
        works += 1
        work()
      }
    }
    let sorted = try colors()
    #expect(!piece.fail(APIError(code: "not-allowed", message: "revoked")))
    #expect(try colors() == sorted)
  }
}
