import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Actions that are written in parts: whole or not at all, and one to undo.
final class LongActionTests {
  private let library: TemporaryLibrary
  private var store: ChangeStore
  private var palette = PaletteID(RecordID())
  private let colors = (0..<10).map {
    NamedColor(name: "Color \($0)", color: Color(red8: UInt8($0), green8: 0, blue8: 0))
  }

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
  }

  private func action(to list: [NamedColor], makesPalette: Bool = false) throws -> LongAction {
    let old = makesPalette ? [] : try store.colors(of: palette)
    let diff = try PaletteDiff(from: old.map(\.color), to: list)
    return LongAction(diff, on: old, makesPalette: makesPalette)
  }

  private func write(_ action: inout LongAction, partsLeft parts: Int) throws {
    var next = action
    let begins = try action.isNew && store.summary(of: palette) == nil
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: palette)
      if begins { try writer.author(.add(palette.record, [.name: RegisterValue(text: "P")])) }
      try next.write(in: writer, atMost: parts > 1 ? (next.left + parts - 1) / parts : nil)
    }
    action = next
  }

  private func undo() throws -> UndoOutcome? {
    try store.write { transaction throws(StoreError) in try transaction.undo(in: palette) }
  }

  private func redo() throws -> UndoOutcome? {
    try store.write { transaction throws(StoreError) in try transaction.redo(in: palette) }
  }

  private func add(_ name: String) throws {
    let color = NamedColor(name: name, color: Color(.srgb, 1, 1, 1))
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(try writer.appending([color]))
    }
  }

  private var names: [String] {
    get throws { try store.colors(of: palette).map(\.color.name) }
  }

  /// The process ends, and another one opens the library.
  private func reopen() throws {
    let elsewhere = try TemporaryLibrary()
    store = try ChangeStore(writing: elsewhere.folder)
    store = try ChangeStore(writing: library.folder)
  }

  @Test func allPartsAreOneToUndo() throws {
    var action = try action(to: colors, makesPalette: true)
    for left in [3, 2, 1] { try write(&action, partsLeft: left) }
    #expect(try names == colors.map(\.name))
    try reopen()
    #expect(try undo()?.changed.count == 10)
    #expect(try names.isEmpty && undo() == nil)
    #expect(try redo()?.changed.count == 10)
    #expect(try names == colors.map(\.name))
    #expect(try store.verify().isEmpty)
  }

  @Test func othersHaveTheirTurnBetweenTheParts() throws {
    palette = try store.makePalette(named: "P")
    try add("First")
    var action = try action(to: colors)
    try write(&action, partsLeft: 3)
    try add("Between")
    // What is not whole yet cannot be undone.
    #expect(try undo()?.changed.count == 1)
    #expect(try !names.contains("Between"))
    try write(&action, partsLeft: 2)
    try write(&action, partsLeft: 1)
    #expect(try names == colors.map(\.name))
    #expect(try undo()?.changed.count == 11)
    #expect(try names == ["First"])
  }

  @Test func deletionsUpdatesAndMovesAreWrittenInParts() throws {
    palette = try store.makePalette(named: "P")
    var first = try action(to: colors)
    try write(&first, partsLeft: 1)
    var list = Array(try store.colors(of: palette).map(\.color).dropFirst(4).reversed())
    list[0].name = "Renamed"
    list.insert(NamedColor(name: "New", color: Color(.srgb, 1, 1, 1)), at: 3)
    var action = try action(to: list)
    let count = action.count
    for written in 1..<count {
      try store.write { transaction throws(StoreError) in
        let writer = try transaction.palette(beginning: palette)
        try action.write(in: writer, atMost: 1)
      }
      #expect(action.left == count - written)
      if written <= 4 { #expect(try names.count == 10 - written) }
    }
    try write(&action, partsLeft: 1)
    #expect(try names == list.map(\.name))
    _ = try undo()
    #expect(try names == colors.map(\.name))
    #expect(try store.verify().isEmpty)
  }

  @Test func whatWasNotFinishedIsTakenBack() throws {
    palette = try store.makePalette(named: "P")
    try add("First")
    let old = try store.colors(of: palette).map(\.color)
    var renamed = old[0]
    renamed.name = "Renamed"
    var action = try action(to: [renamed] + colors)
    try write(&action, partsLeft: 2)
    #expect(try names.first == "Renamed")
    try reopen()
    #expect(try names == ["First"])
    #expect(try undo()?.changed.count == 1)
    #expect(try undo() == nil)
    #expect(try store.verify().isEmpty)
  }

  @Test func aPaletteThatBeganWithItGoesWithIt() throws {
    var action = try action(to: colors, makesPalette: true)
    try write(&action, partsLeft: 3)
    try write(&action, partsLeft: 2)
    try reopen()
    #expect(try store.summary(of: palette)?.isDropped == true)
    try reopen()
    #expect(try undo() == nil)
  }

  @Test func takesBackAtOnce() throws {
    palette = try store.makePalette(named: "P")
    var action = try action(to: colors)
    try write(&action, partsLeft: 3)
    try write(&action, partsLeft: 2)
    var begun = action
    var parts = 0
    var isLeft = true
    while isLeft {
      parts += 1
      isLeft = try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return false }
        return try begun.revertPart(in: writer)
      }
    }
    #expect(parts == 2)
    #expect(try names.isEmpty && undo() == nil)
    // A part of what is not there any more has nothing to complete.
    #expect(throws: StoreError.self) { try write(&action, partsLeft: 1) }
    #expect(try names.isEmpty)
  }

  @Test(arguments: [false, true])
  func whatWasUndoneInPartsAndNotFinishedIsTakenBack(isRedo: Bool) throws {
    palette = try store.makePalette(named: "P")
    try add("First")
    var action = try action(
      to: Array(try store.colors(of: palette).map(\.color) + colors).reversed()
    )
    try write(&action, partsLeft: 1)
    if isRedo { _ = try undo() }
    let before = try store.colors(of: palette).map(\.color)
    for limit in [1, 4, 7] {
      var work = try #require(try store.undoing(in: palette, by: .library, isRedo: isRedo))
      try store.write { transaction throws(StoreError) in
        let writer = try transaction.palette(beginning: palette)
        try work.write(in: writer, atMost: limit)
      }
      #expect(try store.colors(of: palette).map(\.color) != before)
      #expect(work.left == work.count - limit)
      try reopen()
      #expect(try store.colors(of: palette).map(\.color) == before)
    }
    // It is still there to be undone, or made again.
    #expect(try (isRedo ? redo() : undo())?.changed.isEmpty == false)
    #expect(try store.colors(of: palette).map(\.color) != before)
    #expect(try store.verify().isEmpty)
  }

  @Test func undoingInPartsIsTheSameAsAtOnce() throws {
    palette = try store.makePalette(named: "P")
    try add("First")
    var action = try action(to: try store.colors(of: palette).map(\.color) + colors)
    try write(&action, partsLeft: 1)
    let after = try names
    for isRedo in [false, true] {
      for limit in 1...4 {
        var work = try #require(try store.undoing(in: palette, by: .library, isRedo: isRedo))
        while work.left > limit {
          try store.write { transaction throws(StoreError) in
            let writer = try transaction.palette(beginning: palette)
            try work.write(in: writer, atMost: limit)
          }
        }
        try store.write { transaction throws(StoreError) in
          let writer = try transaction.palette(beginning: palette)
          try work.write(in: writer, atMost: nil)
        }
        #expect(work.outcome.changed.count == 10 && work.outcome.skipped.isEmpty)
        #expect(try names == (isRedo ? after : ["First"]))
        _ = try isRedo ? undo() : redo()
      }
      if !isRedo { _ = try undo() }
    }
    #expect(try store.verify().isEmpty)
  }
}
