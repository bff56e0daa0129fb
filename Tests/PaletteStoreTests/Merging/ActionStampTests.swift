import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// All changes of an action carry one stamp, and no two actions of an author have the same.
final class ActionStampTests {
  private let library: TemporaryLibrary
  private let clock = ManualClock()
  private var store: ChangeStore
  private let palette: PaletteID

  init() throws {
    library = try TemporaryLibrary()
    let clock = clock
    clock.milliseconds = 1_700_000_000_000
    store = try ChangeStore(writing: library.folder, milliseconds: { clock.milliseconds })
    palette = try store.makePalette(named: "P")
  }

  private func colors(_ count: Int) -> [NamedColor] {
    (0..<count).map { NamedColor(name: "c\($0)", color: Color(.srgb, 1, 1, 1)) }
  }

  private func add(_ count: Int, to store: ChangeStore? = nil) throws {
    let store = store ?? self.store
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      try writer.act(try writer.appending(colors(count)))
    }
  }

  private func undo() throws {
    _ = try store.write { transaction throws(StoreError) in try transaction.undo(in: palette)
    }
  }

  /// How many changes each action has, in the order in which the changes were made.
  private func groups(_ store: ChangeStore) throws -> [Int] {
    let changes = try store.history(of: palette).sorted { $0.dot < $1.dot }
    var order: [ActionID] = []
    var counts: [ActionID: Int] = [:]
    for change in changes {
      let id = ActionID(of: change)
      if counts[id] == nil { order.append(id) }
      counts[id, default: 0] += 1
    }
    return order.map { counts[$0] ?? 0 }
  }

  @Test func anActionHasOneStamp() throws {
    try add(3)
    clock.milliseconds += 1
    try add(2)
    #expect(try groups(store) == [1, 3, 2])
    #expect(try store.actions(of: palette).map(\.count) == [2, 3, 1])
  }

  /// The clock stands still, goes back, stands still there and comes back; another process goes on.
  @Test func noTwoActionsHaveTheSameStamp() throws {
    let start = clock.milliseconds
    for time in [0, 0, -1_000, -1_000, -1_001, 0, 0, -1_000, 5, 5] {
      clock.milliseconds = start + Int64(time)
      try add(2)
    }
    // What a process knows ends with it.
    let clock = clock
    let folder = library.folder
    store = try ChangeStore(writing: try TemporaryLibrary().folder)
    store = try ChangeStore(writing: folder, milliseconds: { clock.milliseconds })
    for time in [5, -1_000, -1_001] {
      clock.milliseconds = start + Int64(time)
      try add(2)
    }
    #expect(try groups(store) == [1] + Array(repeating: 2, count: 13))
  }

  @Test func theStampStaysTheClocks() throws {
    clock.milliseconds -= 3_600_000
    try add(1)
    let newest = try #require(try store.history(of: palette).max { $0.dot < $1.dot })
    #expect(newest.stamp.milliseconds == clock.milliseconds)
  }

  /// Parts of a long action have other transactions between them.
  @Test func aLongActionHasOneStamp() throws {
    let list = colors(9)
    var action = LongAction(
      try PaletteDiff(from: [], to: list),
      on: [],
      makesPalette: false,
      as: .importing(["a.css"])
    )
    for limit in [3, 3, nil] as [Int?] {
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette) else { return }
        try action.write(in: writer, atMost: limit)
      }
      clock.milliseconds += 1_000
      try store.rename(palette, to: "P\(clock.milliseconds)")
    }
    let actions = try store.actions(of: palette)
    #expect(actions.map(\.count) == [1, 1, 1, 9, 1])
    #expect(actions[3].claim == .import(file: "a.css", others: 0))
  }

  /// A machine that has only seen the changes, in another order of authors, groups and names alike.
  @Test func anotherMachineGroupsAlike() throws {
    try add(3)
    let list = try store.colors(of: palette)
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      let turned = Array(list.map(\.color).reversed())
      do {
        try writer.act(
          try PaletteDiff(from: list.map(\.color), to: turned),
          on: list,
          as: .sort(.name)
        )
      } catch let error as StoreError { throw error } catch { Issue.record(error) }
    }
    try undo()
    let second = try TemporaryLibrary()
    let other = try ChangeStore(writing: second.folder)
    try other.merge(try #require(try store.changes(of: palette, after: [:])), into: palette)
    try add(2, to: other)
    let third = try ChangeStore(writing: try TemporaryLibrary().folder)
    try third.merge(try #require(try other.changes(of: palette, after: [:])), into: palette)
    let (mine, theirs) = (try store.actions(of: palette), try third.actions(of: palette))
    #expect(theirs.count == mine.count + 1)
    for action in mine {
      let same = try #require(theirs.first { $0.id == action.id })
      #expect(same.colors == action.colors && same.claim == action.claim)
    }
    #expect(mine.map(\.claim).prefix(2) == [.undo(mine[1].id.stamp, nil), .sort(.name)])
    #expect(try third.undoneActions(of: palette).isEmpty)
    #expect(try store.undoneActions(of: palette) == [mine[1].id])
    // Only edits are changes for people, and what is said beside them is nobody's color.
    #expect(try third.history(of: palette, edits: true).allSatisfy { !$0.describesAction })
    #expect(try third.digest(of: palette) == other.digest(of: palette))
  }

  /// What was undone for good stays so in the history when a new action takes its place.
  @Test func undoneStaysUndone() throws {
    try add(2)
    let first = try #require(try store.actions(of: palette).first).id
    clock.milliseconds += 1
    try undo()
    #expect(try store.undoneActions(of: palette) == [first])
    try add(1)
    #expect(try store.undoneActions(of: palette) == [first])
    let redone = try store.write { transaction throws(StoreError) in
      try transaction.redo(in: palette)
    }
    #expect((redone ?? nil) == nil, "a new action clears redo")
    try undo()
    #expect(try store.undoneActions(of: palette).count == 2)
  }

  /// Pages of any size are the whole, also where the clock has gone back.
  @Test func pagesAreTheWhole() throws {
    for number in 0..<80 {
      clock.milliseconds += number.isMultiple(of: 7) ? -50 : 3
      try add(1 + number % 3)
    }
    let whole = try store.actions(of: palette)
    #expect(whole.map(\.id) == whole.map(\.id).sorted(by: >) && whole.count == 81)
    for size in [1, 9, 40] {
      var pages: [ActionTally] = []
      while true {
        let page = try store.actions(of: palette, limit: size, before: pages.last?.id)
        if page.isEmpty { break }
        pages += page
      }
      #expect(pages.map(\.id) == whole.map(\.id) && pages.map(\.count) == whole.map(\.count))
    }
    let some = Set(whole.map(\.id).enumerated().filter { $0.offset % 11 == 0 }.map(\.element))
    #expect(Set(try store.actions(some, of: palette).keys) == some)
  }
}
