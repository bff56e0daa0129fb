import Foundation
import PaletteStore
import Testing

struct BackupTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func makesOnePlainFile() throws {
    let library = try scratch.library()
    let writer = try library.opened()
    try writer.connection.add("kept")
    let path = scratch.file("a backup.sqlite")
    let summary = try writer.connection.backup(to: path)
    try writer.connection.add("later")
    #expect(try scratch.names() == ["a backup.sqlite", "home"])
    #expect(try bytes(path).count == summary.bytes)
    #expect(summary.bytes == summary.pages * LibraryFolder.pageBytes)
    #expect(try mode(path) == 0o600)
    let copy = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    #expect(try copy.text(pragma: "journal_mode") == "delete")
    #expect(try copy.applicationID == LibraryFolder.applicationID)
    #expect(try copy.userVersion == 1)
    #expect(try copy.words() == ["kept"])
    #expect(try copy.integrityCheck().isEmpty)
  }

  @Test func readerMakesBackupBesideWriter() throws {
    let library = try scratch.library()
    let writer = try library.opened()
    try writer.connection.add("one")
    let reader = try library.reader()
    try writer.connection.begin()
    try writer.connection.add("not committed")
    try reader.connection.backup(to: scratch.file("b"))
    try writer.connection.commit()
    #expect(try DatabaseConnection(path: scratch.file("b"), mode: .readOnly).words() == ["one"])
  }

  /// Whoever ends a backup finds what was there before, and nothing beside it.
  @Test func anInterruptedBackupLeavesNothing() throws {
    let library = try scratch.library().opened()
    for word in 0..<200 { try library.connection.add(String(repeating: "w", count: 9_000 + word)) }
    let path = scratch.file("b")
    try write([1, 2, 3], to: path)
    var reports: [(Int, Int)] = []
    let error = #expect(throws: StoreError.self) {
      try library.connection.backup(to: path, replacing: true) { done, total throws(StoreError) in
        reports.append((done, total))
        throw StoreError(code: .interrupted, message: "enough")
      }
    }
    #expect(error?.code == .interrupted)
    #expect(reports.count == 1 && reports[0].1 > 200)
    #expect(try bytes(path) == [1, 2, 3])
    #expect(try scratch.names() == ["b", "home"])
    // The transaction that the pages were read in is over.
    try library.connection.add("goes on")
  }

  @Test func replacesOnlyWhenAsked() throws {
    let library = try scratch.library().opened()
    let path = scratch.file("b")
    try write([1, 2, 3], to: path)
    let error = #expect(throws: StoreError.self) { try library.connection.backup(to: path) }
    #expect(error?.code == .exists)
    #expect(try bytes(path) == [1, 2, 3])
    try library.connection.backup(to: path, replacing: true)
    #expect(try bytes(path).starts(with: Array("SQLite format 3".utf8)))
    #expect(try mode(path) == 0o600)
  }

  @Test(arguments: ["", "-wal", "-shm"])
  func neverReplacesTheLibrary(suffix: String) throws {
    let folder = try scratch.library()
    let library = try folder.opened()
    try library.connection.add("safe")
    let path = folder.databasePath + suffix
    let error = #expect(throws: StoreError.self) {
      try library.connection.backup(to: path, replacing: true)
    }
    #expect(error?.code == .exists)
    // The same file under another name.
    try #require(link(path, scratch.file("other")) == 0)
    #expect(throws: StoreError.self) {
      try library.connection.backup(to: scratch.file("other"), replacing: true)
    }
    #expect(try library.connection.words() == ["safe"])
  }

  /// Where another file is the lock, two processes write one library.
  @Test func refusesTheFilesBesideTheLibrary() throws {
    let folder = try scratch.library()
    let library = try folder.opened()
    for name in ["lock", "opened", "config.json", "key.pem"] {
      if access(folder.file(name), F_OK) != 0 { try write([7], to: folder.file(name)) }
      let error = #expect(throws: StoreError.self) {
        try library.connection.backup(to: folder.file(name), replacing: true)
      }
      #expect(error?.code == .exists, "\(name)")
    }
    #expect(try bytes(folder.file("key.pem")) == [7])
  }

  @Test func refusesWhatIsNoFile() throws {
    let library = try scratch.library().opened()
    for path in [scratch.path, "/dev/null", scratch.file("missing/b")] {
      #expect(throws: StoreError.self) {
        try library.connection.backup(to: path, replacing: true)
      }
    }
    #expect(try scratch.names() == ["home"])
  }

  @Test(.enabled(if: Mount.isPossible)) func leavesNothingOnFullDisk() throws {
    let library = try scratch.library().opened()
    try library.connection.add(String(repeating: "long", count: 100_000))
    let small = try Scratch()
    let mount = try Mount(tmpfsAt: small.path, bytes: 65_536)
    try write([7], to: small.file("b"))
    let error = #expect(throws: StoreError.self) {
      try library.connection.backup(to: small.file("b"), replacing: true)
    }
    #expect(error?.code == .diskFull)
    #expect(try small.names() == ["b"])
    #expect(try bytes(small.file("b")) == [7])
    withExtendedLifetime(mount) {}
  }

  @Test func findsDamage() throws {
    let folder = try scratch.library()
    do {
      let library = try folder.opened()
      try library.connection.add(Array(repeating: "word", count: 2_000))
      #expect(try library.connection.integrityCheck().isEmpty)
    }
    var damaged = try bytes(folder.databasePath)
    for index in 8_192..<12_288 { damaged[index] = 0xA5 }
    try write(damaged, to: folder.databasePath)
    let reader = try folder.reader()
    #expect(try !reader.connection.integrityCheck().isEmpty)
  }
}
