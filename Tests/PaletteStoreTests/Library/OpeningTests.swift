import Foundation
import PaletteStore
import Testing

struct OpeningTests {
  let scratch: Scratch
  let folder: LibraryFolder

  init() throws {
    scratch = try Scratch()
    folder = try scratch.library()
  }

  @Test func createsALibrary() throws {
    do {
      let library = try folder.opened()
      #expect(library.migratedFrom == nil)
      #expect(try library.connection.applicationID == 1_752_524_132)
      #expect(try library.connection.userVersion == 1)
      #expect(try library.connection.text(pragma: "journal_mode") == "wal")
      let pragmas: [(String, Int64)] = [
        ("page_size", 2048), ("synchronous", 2), ("cache_size", -16_384), ("trusted_schema", 0),
        ("wal_autocheckpoint", 2024), ("journal_size_limit", 16_777_216), ("mmap_size", 0),
      ]
      for (name, value) in pragmas {
        #expect(try library.connection.integer(pragma: name) == value, "\(name)")
      }
      try library.connection.add("word")
    }
    #expect(try scratch.names("home") == ["library.sqlite", "lock", "opened"])
    #expect(try folder.words() == ["word"])
  }

  @Test func readerSeesCommitsAndCannotWrite() throws {
    let writer = try folder.opened()
    let reader = try folder.reader()
    #expect(reader.mode == .shared)
    #expect(reader.version == 1)
    #expect(reader.continuity == .same)
    #expect(try reader.connection.integer(pragma: "cache_size") == -2048)
    try writer.connection.add("new")
    #expect(try reader.connection.words() == ["new"])
    let error = #expect(throws: StoreError.self) { try reader.connection.add("refused") }
    #expect(error?.code == .readOnly)
  }

  struct Refused: CustomTestStringConvertible {
    let name: String
    let code: StoreError.Code
    let make: @Sendable (String) throws -> Void
    var testDescription: String { name }
  }

  static let refused: [Refused] = [
    Refused(name: "text", code: .notALibrary) { try write(Array("hello".utf8), to: $0) },
    Refused(name: "zeros", code: .notALibrary) { path in
      try write([UInt8](repeating: 0, count: 8192), to: path)
    },
    Refused(name: "only the magic", code: .notALibrary) { path in
      try write(Array("SQLite format 3\0".utf8), to: path)
    },
    Refused(name: "another program's") { path in
      try DatabaseConnection(path: path, mode: .readWrite(create: true))
        .execute("PRAGMA application_id = 5; CREATE TABLE t(a)")
    },
    Refused(name: "another program's with a log") { path in
      try DatabaseConnection(path: path, mode: .readWrite(create: true))
        .execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
    },
    Refused(name: "no version") { path in
      try DatabaseConnection(path: path, mode: .readWrite(create: true))
        .execute("PRAGMA application_id = 1752524132; CREATE TABLE t(a)")
    },
    Refused(name: "newer", code: .newerFormat) { path in
      try DatabaseConnection(path: path, mode: .readWrite(create: true))
        .execute("PRAGMA application_id = 1752524132; PRAGMA user_version = 2; CREATE TABLE t(a)")
    },
    Refused(name: "truncated", code: .corrupt) { try damagedLibrary($0) { $0.removeLast(2048) } },
    Refused(name: "cut within a page", code: .corrupt) { path in
      try damagedLibrary(path) { $0.removeLast(100) }
    },
    Refused(name: "damaged schema", code: .corrupt) { path in
      try damagedLibrary(path) { for index in 100..<2048 { $0[index] = 0xA5 } }
    },
  ]

  @Test(arguments: refused) func refusesAndDoesNotTouch(example: Refused) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try example.make(folder.databasePath)
    let before = try bytes(folder.databasePath)
    let forWriting = #expect(throws: StoreError.self) { _ = try folder.opened() }
    #expect(forWriting?.code == example.code)
    let forReading = #expect(throws: StoreError.self) { _ = try folder.words() }
    #expect(forReading?.code == example.code)
    #expect(try bytes(folder.databasePath) == before)
    if example.code != .corrupt { #expect(try scratch.names("home") == ["library.sqlite"]) }
  }

  @Test func newerFormatInLogAloneIsNotTouched() throws {
    let image = try scratch.library("image")
    do {
      let library = try folder.opened()
      try library.connection.setUserVersion(2)
      try run("/bin/cp", "-a", folder.path, image.path)
    }
    try? FileManager.default.removeItem(atPath: image.databasePath + "-shm")
    let before = try contents(image.path)
    let error = #expect(throws: StoreError.self) { _ = try image.opened() }
    #expect(error?.code == .newerFormat)
    let after = try contents(image.path)
    for name in ["library.sqlite", "library.sqlite-wal", "opened"] {
      #expect(after[name] == before[name], "\(name)")
    }
  }

  @Test func readerAloneLeavesLogAndFileAsTheyAre() throws {
    let image = try scratch.library("image")
    do {
      let library = try folder.opened()
      try library.connection.add("in the log")
      try run("/bin/cp", "-a", folder.path, image.path)
    }
    try FileManager.default.removeItem(atPath: image.databasePath + "-shm")
    let before = try contents(image.path)
    for _ in 0..<2 { #expect(try image.words() == ["in the log"]) }
    let after = try contents(image.path)
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
    // The writer recovers the log, and the close moves it into the file.
    _ = try image.opened()
    #expect(try image.words() == ["in the log"])
    #expect(try contents(image.path)["library.sqlite"] != before["library.sqlite"])
  }

  @Test func emptyFileBecomesALibraryUnlessOneWasThere() throws {
    try folder.create()
    try write([], to: folder.databasePath)
    #expect(try folder.words() == nil)
    try folder.add("word")
    #expect(try folder.words() == ["word"])
    try write([], to: folder.databasePath)
    let error = #expect(throws: StoreError.self) { _ = try folder.opened() }
    #expect(error?.code == .corrupt)
    #expect(throws: StoreError.self) { _ = try folder.words() }
    #expect(try bytes(folder.databasePath).isEmpty)
  }

  @Test func leftOverLogIsNotReplayedIntoANewLibrary() throws {
    let image = try scratch.library("image")
    do {
      let library = try folder.opened()
      try library.connection.add("old")
      try run("/bin/cp", "-a", folder.path, image.path)
    }
    try FileManager.default.removeItem(atPath: image.databasePath)
    let log = try bytes(image.databasePath + "-wal")
    #expect(try image.opened().connection.words() == [])
    #expect(try bytes(image.databasePath + "-wal.left-over") == log)
  }

  @Test func creationThatStoppedHalfWayIsForgotten() throws {
    let failing = Migration(version: 1) { (connection) throws(StoreError) in
      try Steps.first.apply(connection)
      throw StoreError(code: .failed, message: "half-way")
    }
    #expect(throws: StoreError.self) { _ = try folder.opened([failing]) }
    #expect(try folder.words() == nil)
    #expect(try !folder.exists)
    try folder.add("word")
    #expect(try scratch.names("home") == ["library.sqlite", "lock", "opened"])
    #expect(try folder.words() == ["word"])
  }

  private static func damagedLibrary(
    _ path: String,
    _ damage: (inout [UInt8]) -> Void
  ) throws {
    let folder = try LibraryFolder((path as NSString).deletingLastPathComponent)
    do {
      let library = try folder.opened()
      try library.connection.add(Array(repeating: "word", count: 2_000))
    }
    var file = try bytes(path)
    damage(&file)
    try write(file, to: path)
  }
}

extension OpeningTests.Refused {
  fileprivate init(name: String, make: @escaping @Sendable (String) throws -> Void) {
    self.init(name: name, code: .notALibrary, make: make)
  }
}
