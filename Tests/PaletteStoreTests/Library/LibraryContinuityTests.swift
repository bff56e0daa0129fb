import Foundation
import PaletteStore
import Testing

struct LibraryContinuityTests {
  let scratch: Scratch
  let folder: LibraryFolder

  init() throws {
    scratch = try Scratch()
    folder = try scratch.library()
    #expect(try folder.continuity() == .new)
  }

  @Test func staysTheSame() throws {
    for _ in 0..<3 { #expect(try folder.continuity() == .same) }
    try folder.add("word")
    #expect(try folder.continuity() == .same)
    let nonces = try (0..<3).map { _ in
      _ = try folder.opened()
      return try bytes(folder.openedPath)
    }
    #expect(Set(nonces).count == 3)
    #expect(nonces.allSatisfy { $0.count == 33 })
  }

  @Test func survivesVacuumBackupMigrationAndMove() throws {
    do {
      let library = try folder.opened([Steps.first, Steps.second])
      try library.connection.execute("VACUUM")
      try library.connection.backup(to: scratch.file("b"))
    }
    let moved = try scratch.library("moved")
    try FileManager.default.moveItem(atPath: folder.path, toPath: moved.path)
    #expect(try moved.opened([Steps.first, Steps.second]).continuity == .same)
  }

  @Test func noticesACopy() throws {
    let copy = try scratch.library("copy")
    try run("/bin/cp", "-a", folder.path, copy.path)
    #expect(try copy.continuity() == .changed(.file))
    #expect(try copy.continuity() == .same)
    #expect(try folder.continuity() == .same)
  }

  @Test func noticesACopyInTheOriginalsPlace() throws {
    // File systems give the number of a removed file to the next one.
    let copy = try scratch.library("copy")
    for _ in 0..<5 {
      try run("/bin/cp", "-a", folder.path, copy.path)
      try FileManager.default.removeItem(atPath: folder.path)
      try run("/bin/cp", "-a", copy.path, folder.path)
      try FileManager.default.removeItem(atPath: copy.path)
      #expect(try folder.continuity() == .changed(.file))
    }
  }

  @Test func noticesARollbackOfTheFileInPlace() throws {
    let old = try bytes(folder.databasePath)
    try folder.add("later")
    let handle = try #require(FileHandle(forWritingAtPath: folder.databasePath))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(old))
    try handle.close()
    #expect(try folder.continuity() == .changed(.opening))
  }

  @Test func noticesARollbackOfOpenedAlone() throws {
    let old = try bytes(folder.openedPath)
    try folder.add("later")
    try write(old, to: folder.openedPath)
    #expect(try folder.continuity() == .changed(.opening))
    try FileManager.default.removeItem(atPath: folder.openedPath)
    #expect(try folder.continuity() == .changed(.opening))
    try write([], to: folder.openedPath)
    #expect(try folder.continuity() == .changed(.opening))
    #expect(try folder.continuity() == .same)
  }

  @Test func noticesAnotherMachine() throws {
    do {
      let library = try folder.opened()
      try library.connection.execute(
        """
        UPDATE local SET value = CAST(value || 'x' AS BLOB) WHERE key = 'opening.surroundings'
        """
      )
    }
    #expect(try folder.continuity() == .changed(.machine))
  }

  @Test func readingComparesAndWritesNothing() throws {
    let copy = try scratch.library("copy")
    try run("/bin/cp", "-a", folder.path, copy.path)
    let before = try contents(copy.path)
    for _ in 0..<2 {
      let reader = try copy.reader()
      #expect(reader.continuity == .changed(.file))
    }
    let after = try contents(copy.path)
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
    #expect(try copy.continuity() == .changed(.file))
  }

  @Test func adoptionIsStoredWithTheOpeningOrNotAtAll() throws {
    try FileManager.default.removeItem(atPath: folder.openedPath)
    let crash = StoreError(code: .interrupted, message: "crash")
    for _ in 0..<2 {
      #expect(throws: crash) {
        _ = try folder.opened { (connection, continuity) throws(StoreError) in
          #expect(continuity == .changed(.opening))
          try connection.add("adopted")
          throw crash
        }
      }
    }
    #expect(try folder.words() == [])
    _ = try folder.opened { (connection, continuity) throws(StoreError) in
      #expect(continuity == .changed(.opening))
      try connection.add("adopted")
    }
    #expect(try folder.words() == ["adopted"])
    #expect(try folder.continuity() == .same)
  }
}
