import Foundation
import PaletteStore
import Testing

struct MigrationTests {
  let scratch: Scratch
  let folder: LibraryFolder

  init() throws {
    scratch = try Scratch()
    folder = try scratch.library()
    try folder.add("old")
  }

  @Test func migratesAfterABackup() throws {
    do {
      let library = try folder.opened([Steps.first, Steps.second])
      #expect(library.migratedFrom == 1)
      #expect(library.continuity == .same)
      #expect(try library.connection.userVersion == 2)
      try library.connection.execute("UPDATE word SET size = 3")
    }
    #expect(try folder.words(newestVersion: 2) == ["old"])
    let backup = folder.databasePath + ".v1.backup"
    let copy = try DatabaseConnection(path: backup, mode: .immutable)
    #expect(try copy.userVersion == 1)
    #expect(try copy.words() == ["old"])
    #expect(try mode(backup) == 0o600)
    #expect(try folder.opened([Steps.first, Steps.second]).migratedFrom == nil)
  }

  @Test func newLibraryTakesEveryStepWithoutABackup() throws {
    let other = try scratch.library("other")
    let library = try other.opened([Steps.first, Steps.second])
    #expect(library.migratedFrom == nil)
    #expect(library.continuity == .new)
    #expect(try library.connection.userVersion == 2)
    #expect(try !scratch.names("other").contains { $0.hasSuffix("backup") })
  }

  @Test func failureLeavesTheOldVersion() throws {
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) {
        _ = try folder.opened([Steps.first, Steps.failing])
      }
      #expect(error?.message == "half-way")
      let library = try folder.reader(newestVersion: 2)
      #expect(library.version == 1)
      #expect(try library.connection.words() == ["old"])
      #expect(try library.connection.integer(pragma: "table_info(word)") == 0)
    }
    try folder.add("still writable")
    _ = try folder.opened([Steps.first, Steps.second])
    #expect(try folder.words(newestVersion: 2) == ["old", "still writable"])
  }

  @Test func crashHalfWayLeavesTheOldVersion() throws {
    let home = folder.path
    let image = try scratch.library("image")
    let copying = Migration(version: 2) { (connection) throws(StoreError) in
      // A cache this small writes to the log before the commit.
      try connection.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
      try connection.execute("ALTER TABLE word ADD COLUMN size INTEGER")
      for _ in 0..<100 { try connection.add(String(repeating: "new", count: 1_000)) }
      #expect((try? run("/bin/cp", "-a", home, image.path)) == 0)
    }
    _ = try folder.opened([Steps.first, copying])
    #expect(try bytes(image.databasePath + "-wal").count > 100_000)
    #expect(try image.words() == ["old"])
    #expect(try image.reader().version == 1)
    let library = try image.opened([Steps.first, Steps.second])
    #expect(library.migratedFrom == 1)
    #expect(try library.connection.words() == ["old"])
  }

  @Test func reportsTheVersionToReaders() throws {
    let library = try folder.reader(newestVersion: 9)
    #expect(library.version == 1)
  }

  @Test func olderProgramRefusesTheResult() throws {
    _ = try folder.opened([Steps.first, Steps.second])
    let before = try bytes(folder.databasePath)
    for open in [{ _ = try folder.opened() }, { _ = try folder.words() }] {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.code == .newerFormat)
    }
    #expect(try bytes(folder.databasePath) == before)
  }
}
