import PaletteStore
import Testing

/// A store as the layer above builds it: statements prepared once, beside the library.
struct OwnershipTests {
  final class Words {
    private let library: WritableLibrary
    private let insert: Statement
    private let count: Statement

    init(_ folder: LibraryFolder) throws {
      library = try folder.opened()
      insert = try library.connection.prepare("INSERT INTO word(text) VALUES(?1)")
      count = try library.connection.prepare("SELECT count(*) FROM word")
    }

    func add(_ words: [String]) throws -> Int64? {
      try library.connection.transaction { () throws(StoreError) in
        for word in words {
          try insert.bind(word, at: 1)
          try insert.run()
        }
      }
      return try count.row { $0.int64(0) }
    }
  }

  actor Log {
    private let words: Words

    init(_ folder: LibraryFolder) throws { words = try Words(folder) }

    func add(_ new: [String]) throws -> Int64? { try words.add(new) }
  }

  @Test func classOwnsLibraryAndStatements() throws {
    let scratch = try Scratch()
    let folder = try scratch.library()
    for round in 1...3 as ClosedRange<Int64> {
      // Let go of in between, or the lock would be held.
      #expect(try Words(folder).add(["a", "b"]) == 2 * round)
    }
    #expect(try scratch.names("home") == ["library.sqlite", "lock", "opened"])
  }

  @Test func actorOwnsThem() async throws {
    let scratch = try Scratch()
    let log = try Log(try scratch.library())
    #expect(try await log.add(["a"]) == 1)
    #expect(try await log.add(["b", "c"]) == 3)
  }
}
