import Foundation
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Undo and redo where two people edit, one rule a test.
struct UndoTests {
  /// Two libraries that hold the same palette with one color, added by Ann.
  private final class Pair {
    let folders: [TemporaryLibrary]
    let ann: ChangeStore
    let bob: ChangeStore
    let palette: PaletteID
    let sea = RecordID(high: 1, low: 2)

    init() throws {
      folders = [try TemporaryLibrary(), try TemporaryLibrary()]
      ann = try ChangeStore(writing: folders[0].folder)
      bob = try ChangeStore(writing: folders[1].folder)
      palette = try ann.makePalette(named: "P")
      try act(
        ann,
        .add(
          sea,
          [
            .name: RegisterValue(text: "Sea"), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
            .place: RegisterValue(placeBytes: [128]),
          ]
        )
      )
      try exchange()
    }

    func act(_ store: ChangeStore, _ edits: Edit...) throws {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.palette(palette)?.act(edits)
      }
    }

    func rename(_ store: ChangeStore, _ name: String) throws {
      try act(store, .set(sea, [.name: RegisterValue(text: name)]))
    }

    func undo(_ store: ChangeStore) throws -> UndoOutcome? {
      try store.write { transaction throws(StoreError) in try transaction.undo(in: palette) }
    }

    func redo(_ store: ChangeStore) throws -> UndoOutcome? {
      try store.write { transaction throws(StoreError) in try transaction.redo(in: palette) }
    }

    func exchange() throws {
      for (from, to) in [(ann, bob), (bob, ann)] {
        let changes = try #require(try from.changes(of: palette, after: to.frontier(of: palette)))
        try to.merge(changes, into: palette)
      }
      #expect(try ann.digest() == bob.digest())
    }

    func name(_ store: ChangeStore) throws -> String? { try store.record(sea, in: palette)?.name }

    func isListed(_ store: ChangeStore) throws -> Bool {
      try store.record(sea, in: palette)?.isListed ?? false
    }
  }

  @Test func goesBackTwiceOnOneRegister() throws {
    let pair = try Pair()
    try pair.rename(pair.ann, "Ocean")
    try pair.rename(pair.ann, "Lake")
    #expect(try pair.undo(pair.ann)?.changed == [pair.sea])
    #expect(try pair.name(pair.ann) == "Ocean")
    #expect(try pair.undo(pair.ann)?.changed == [pair.sea])
    #expect(try pair.name(pair.ann) == "Sea")
    #expect(try pair.redo(pair.ann)?.changed == [pair.sea])
    #expect(try pair.redo(pair.ann)?.changed == [pair.sea])
    #expect(try pair.name(pair.ann) == "Lake")
    #expect(try pair.redo(pair.ann) == nil)
  }

  @Test func leavesWhatSomeoneElseWrote() throws {
    let pair = try Pair()
    try pair.rename(pair.ann, "Ocean")
    try pair.exchange()
    try pair.rename(pair.bob, "Lake")
    try pair.exchange()
    let digest = try pair.ann.digest()
    let outcome = try #require(try pair.undo(pair.ann))
    #expect(outcome.changed.isEmpty)
    #expect(outcome.skipped.map(\.record) == [pair.sea])
    #expect(outcome.skipped.map(\.register) == [.name])
    #expect(try pair.ann.digest() == digest)
  }

  @Test func leavesWhatSomeoneElseRemoved() throws {
    let pair = try Pair()
    try pair.rename(pair.ann, "Ocean")
    try pair.exchange()
    try pair.act(pair.bob, .delete(pair.sea))
    try pair.exchange()
    let outcome = try #require(try pair.undo(pair.ann))
    #expect(outcome.changed.isEmpty)
    #expect(outcome.skipped.map(\.record) == [pair.sea])
    #expect(try !pair.isListed(pair.ann))
    #expect(try pair.redo(pair.ann)?.changed.isEmpty != false)
    #expect(try !pair.isListed(pair.ann))
  }

  @Test func leavesAConflictToPeople() throws {
    let pair = try Pair()
    try pair.rename(pair.ann, "Ocean")
    try pair.rename(pair.bob, "Lake")
    try pair.exchange()
    #expect(try pair.undo(pair.ann)?.changed.isEmpty == true)
    #expect(try pair.ann.record(pair.sea, in: pair.palette)?.conflicts == [.name])
  }

  @Test func takesAnAdditionBackOnlyWhileItIsOnlyOnesOwn() throws {
    let pair = try Pair()
    try pair.act(pair.bob, .set(pair.sea, [.note: RegisterValue(text: "mine too")]))
    try pair.exchange()
    let outcome = try #require(try pair.undo(pair.ann))
    #expect(outcome.changed.isEmpty)
    #expect(outcome.skipped.map(\.register) == [nil])
    #expect(try pair.isListed(pair.ann))
  }

  @Test func bringsBackWhatItDeletedAndKeepsNewerEdits() throws {
    let pair = try Pair()
    try pair.rename(pair.bob, "Lake")
    try pair.act(pair.ann, .delete(pair.sea))
    #expect(try !pair.isListed(pair.ann))
    #expect(try pair.undo(pair.ann)?.changed == [pair.sea])
    try pair.exchange()
    #expect(try pair.isListed(pair.bob))
    // The undo wrote the place alone, so the rename stands without a conflict.
    #expect(try pair.name(pair.ann) == "Lake")
    #expect(try pair.ann.record(pair.sea, in: pair.palette)?.conflicts == [])
    #expect(try pair.redo(pair.ann)?.changed == [pair.sea])
    try pair.exchange()
    #expect(try !pair.isListed(pair.bob))
  }

  @Test(arguments: [Register.name, .color, .place])
  func doesNotHideAgainWhatOthersHaveWrittenTo(register: Register) throws {
    let pair = try Pair()
    try pair.act(pair.ann, .delete(pair.sea))
    let place = RegisterValue(placeBytes: [7])
    try pair.act(pair.ann, .restore(pair.sea, [.place: place]))
    try pair.exchange()
    let values: [Register: RegisterValue] = [
      .name: RegisterValue(text: "Lake"), .place: RegisterValue(placeBytes: [9]),
      .color: RegisterValue(color: Color(.srgb, 1, 0, 0)),
    ]
    try pair.act(pair.bob, .set(pair.sea, [register: try #require(values[register])]))
    try pair.exchange()
    let outcome = try #require(try pair.undo(pair.ann))
    #expect(outcome.changed.isEmpty && outcome.skipped.map(\.register) == [nil])
    #expect(try pair.isListed(pair.ann))
  }

  @Test func doesNotBringBackWhatIsBack() throws {
    let pair = try Pair()
    try pair.act(pair.ann, .delete(pair.sea))
    try pair.rename(pair.bob, "Lake")
    try pair.exchange()
    #expect(try pair.isListed(pair.ann))
    #expect(try pair.undo(pair.ann)?.changed.isEmpty == true)
  }

  @Test func forgetsWhatWasUndoneWithTheNextEdit() throws {
    let pair = try Pair()
    try pair.rename(pair.ann, "Ocean")
    _ = try pair.undo(pair.ann)
    try pair.rename(pair.ann, "Lake")
    #expect(try pair.redo(pair.ann) == nil)
    #expect(try pair.undo(pair.bob) == nil)
  }

  @Test(arguments: [false, true])
  func remembersTheNewestThousandOrSo(keepsState: Bool) throws {
    let pair = try Pair()
    if keepsState { pair.ann.keepState() }
    for number in 0..<1_200 { try pair.rename(pair.ann, "name \(number)") }
    var undone = 0
    while try pair.undo(pair.ann) != nil { undone += 1 }
    #expect((1_000..<1_064).contains(undone))
    #expect(try pair.ann.record(pair.sea, in: pair.palette)?.name == "name \(1_199 - undone)")
  }

  @Test func survivesANewNodeID() throws {
    let pair = try Pair()
    try pair.rename(pair.ann, "Ocean")
    let copy = try TemporaryLibrary()
    try FileManager.default.copyItem(
      atPath: pair.folders[0].folder.path,
      toPath: copy.folder.path
    )
    let clone = try ChangeStore(writing: copy.folder)
    // A copy goes on under another id, and still knows what was its own.
    #expect(clone.node != pair.ann.node && clone.library == pair.ann.library)
    #expect(clone.identities.dropLast() == pair.ann.identities[...])
    #expect(try pair.undo(clone)?.changed == [pair.sea])
    try pair.rename(pair.ann, "Lake")
    let changes = try #require(
      try clone.changes(of: pair.palette, after: pair.ann.frontier(of: pair.palette))
    )
    for arrival in try pair.ann.merge(changes, into: pair.palette) {
      guard case .merged = arrival else {
        Issue.record("\(arrival)")
        continue
      }
    }
    #expect(try pair.ann.record(pair.sea, in: pair.palette)?.conflicts == [.name])
  }

  @Test func anAdditionThatWasCompactedAwayIsCounted() throws {
    let pair = try Pair()
    try pair.act(
      pair.bob,
      .set(
        pair.sea,
        [
          .name: RegisterValue(text: "Sky"), .color: RegisterValue(color: Color(.srgb, 0, 1, 1)),
          .place: RegisterValue(placeBytes: [64]),
        ]
      )
    )
    try pair.exchange()
    _ = try pair.ann.compact(pair.palette, beforeMilliseconds: .max)
    let outcome = try #require(try pair.undo(pair.ann))
    #expect(outcome.forgotten == 1)
    #expect(outcome.changed.isEmpty && outcome.skipped.isEmpty)
  }

  /// Sorting a palette again and again keeps what each color's place was, a hundred times its size.
  @Test func compactionShortensALongStack() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let palette = try store.makePalette(named: "P")
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(
        try writer.appending(
          (0..<200).map { NamedColor(name: "c\($0)", color: Color(.srgb, 0, 0, 1)) }
        )
      )
    }
    let first = try store.tidy().after
    for _ in 0..<40 {
      let list = try store.colors(of: palette)
      try store.write { transaction throws(StoreError) in
        let turned = Array(list.map(\.color).reversed())
        do {
          let diff = try PaletteDiff(from: list.map(\.color), to: turned)
          try transaction.palette(palette)?.act(diff, on: list)
        } catch let error as StoreError { throw error } catch { Issue.record(error) }
      }
    }
    let before = try store.undoneActions(of: palette).count
    _ = try store.compact(palette, beforeMilliseconds: .max)
    #expect(try store.tidy().after < 3 * first)
    // The newest can be undone all the same.
    _ = try store.write { transaction throws(StoreError) in try transaction.undo(in: palette)
    }
    #expect(try store.undoneActions(of: palette).count == before + 1)
    #expect(try store.verify().isEmpty)
  }
}
