import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Writes that become durable together.
struct GroupTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private let library: TemporaryLibrary
  private let store: ChangeStore

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    try store.write { transaction throws(StoreError) in
      let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
      _ = try transaction.palette(beginning: Self.palette).act([named])
    }
  }

  private func add(_ name: String) throws(StoreError) {
    var random = SystemRandomNumberGenerator()
    let color = NamedColor(
      id: RecordID(using: &random),
      name: name,
      color: Color(.srgb, 0, 0, 1)
    )
    try store.write { transaction throws(StoreError) in
      guard let palette = try transaction.palette(Self.palette) else { return }
      try palette.act(try palette.appending([color]))
    }
  }

  private func names() throws -> [String] {
    try store.colors(of: Self.palette).map(\.color.name)
  }

  @Test func manyWritesAreOneCommitAndToldAfterIt() throws {
    store.followsCommits = true
    let before = store.commitCount
    var seen: [Int] = []
    try store.group {
      for number in 0..<20 {
        #expect(throws: Never.self) { try add("c\(number)") }
        #expect(!store.hasCommitted)
        seen.append((try? names().count) ?? -1)
      }
      #expect(store.hasUncommittedWrites)
    }
    #expect(seen == Array(1...20))
    #expect(store.removeCommitted().count == 20)
    #expect(!store.hasCommitted)
    #expect(store.commitCount == before + 1)
    #expect(try names() == (0..<20).map { "c\($0)" })
    // Each is an action of its own.
    try store.write { transaction throws(StoreError) in
      _ = try transaction.undo(in: Self.palette)
    }
    #expect(try names() == (0..<19).map { "c\($0)" })
    #expect(try store.integrityProblems().isEmpty)
  }

  @Test func aWriteThatFailsFailsAlone() throws {
    try store.group {
      #expect(throws: Never.self) { try add("one") }
      #expect(throws: StoreError.self) {
        try store.write { transaction throws(StoreError) in
          guard let palette = try transaction.palette(Self.palette) else { return }
          _ = try palette.act([.delete(Self.palette.record)])
          throw StoreError(code: .failed, message: "changed its mind")
        }
      }
      #expect(throws: Never.self) { try add("two") }
    }
    #expect(try names() == ["one", "two"])
    let again = try #require(try ChangeStore.reading(library.folder))
    #expect(try again.colors(of: Self.palette).count == 2)
    #expect(try again.digest() == store.digest())
  }

  /// The first is not even a part of a transaction: all that there is goes with it.
  @Test func aFirstWriteThatFailsFailsAlone() throws {
    let before = store.commitCount
    try store.group {
      for _ in 0..<2 {
        #expect(throws: StoreError.self) {
          try store.write { transaction throws(StoreError) in
            guard let palette = try transaction.palette(Self.palette) else { return }
            _ = try palette.act([.delete(Self.palette.record)])
            throw StoreError(code: .failed, message: "changed its mind")
          }
        }
        #expect(!store.hasUncommittedWrites)
      }
      #expect(throws: Never.self) { try add("one") }
      #expect(throws: Never.self) { try add("two") }
    }
    #expect(store.commitCount == before + 1)
    let again = try #require(try ChangeStore.reading(library.folder))
    #expect(try again.colors(of: Self.palette).map(\.color.name) == ["one", "two"])
    #expect(try again.digest() == store.digest())
  }

  @Test func readingAloneCommitsNothing() throws {
    let before = store.commitCount
    try store.group { #expect(throws: Never.self) { try names() } }
    #expect(store.commitCount == before)
  }

  @Test func somethingIsDoneWhileTheDiskWrites() throws {
    var steps: [String] = []
    store.followsCommits = true
    try store.group(
      {
        #expect(throws: Never.self) { try add("one") }
        #expect(store.uncommitted.map(\.records.count) == [1])
        steps.append("written")
      },
      meanwhile: {
        #expect(!store.hasCommitted)
        steps.append("meanwhile")
      }
    )
    #expect(steps == ["written", "meanwhile"])
    #expect(store.removeCommitted().map(\.records.count) == [1])
    #expect(store.uncommitted.isEmpty)
    try store.group(
      { #expect(throws: Never.self) { try names() } },
      meanwhile: { steps.append("nothing to wait for") }
    )
    // It was for that group alone.
    try store.group { #expect(throws: Never.self) { try add("two") } }
    #expect(steps == ["written", "meanwhile"])
    #expect(store.removeCommitted().count == 1)
    let again = try #require(try ChangeStore.reading(library.folder))
    #expect(try again.colors(of: Self.palette).map(\.color.name) == ["one", "two"])
  }
}
