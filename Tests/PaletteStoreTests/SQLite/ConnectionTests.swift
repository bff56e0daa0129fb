import Foundation
import PaletteStore
import Testing

struct ConnectionTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: ["plain", "a ? b # c % d &", "ü 🎨", "file:odd", "x?mode=memory"])
  func opensOddNames(name: String) throws {
    let path = scratch.file(name)
    try makeTable(path)
    #expect(FileManager.default.fileExists(atPath: path))
    for mode in [DatabaseConnection.Mode.readOnly, .immutable, .readWrite(create: false)] {
      #expect(try count(path, mode) == 1)
    }
  }

  @Test(arguments: [400, 500, 520, 1_200, 3_000])
  func opensDeepFolders(bytes: Int) throws {
    var folder = scratch.path
    while folder.utf8.count < bytes { folder += "/" + String(repeating: "d", count: 100) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try makeTable("\(folder)/deep")
    #expect(try count("\(folder)/deep", .readOnly) == 1)
    #expect(try count("\(folder)/deep", .immutable) == 1)
    #expect(FileManager.default.fileExists(atPath: "\(folder)/deep"))
  }

  @Test func refusesPathsThatAreNone() {
    for path in ["", "a\0b"] {
      let error = #expect(throws: StoreError.self) { _ = try count(path, .readOnly) }
      #expect(error?.code == .cannotOpen)
    }
  }

  @Test func createsOnlyWhenAsked() throws {
    let path = scratch.file("missing")
    for mode in [DatabaseConnection.Mode.readOnly, .immutable, .readWrite(create: false)] {
      let error = #expect(throws: StoreError.self) { _ = try count(path, mode) }
      #expect(error?.code == .cannotOpen)
      #expect(error?.message.contains(path) == true)
    }
    #expect(try scratch.names().isEmpty)
  }

  @Test func readersCannotWrite() throws {
    let path = scratch.file("t")
    try makeTable(path)
    for mode in [DatabaseConnection.Mode.readOnly, .immutable] {
      let error = #expect(throws: StoreError.self) {
        try DatabaseConnection(path: path, mode: mode).execute("DELETE FROM t")
      }
      #expect(error?.code == .readOnly)
    }
  }

  @Test func keepsDatabaseOpenUntilLastStatementIsGone() throws {
    let path = scratch.file("t")
    try makeTable(path)
    let insert = try preparedInsert(path)
    try insert.run()
    try insert.run()
    #expect(try count(path, .readOnly) == 3)
  }

  @Test func tablesThatAreNotWhatTheyWereAreDamage() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a INTEGER) STRICT")
    for sql in ["SELECT b FROM t", "SELECT a FROM u"] {
      let error = #expect(throws: StoreError.self) { try connection.prepare(sql).run() }
      #expect(error?.code == .corrupt && error?.hint != nil)
    }
  }

  @Test func tellsWhatIsWrongWithSQL() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    let error = #expect(throws: StoreError.self) { try connection.execute("SELEKT 1") }
    #expect(error?.code == .failed)
    #expect(error?.sql == "SELEKT 1")
    #expect(error?.message.contains("SELEKT") == true)
    #expect(connection.lastErrorMessage.contains("SELEKT"))
  }

  @Test func readsAndWritesPragmas() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    #expect(try connection.userVersion == 0)
    try connection.setUserVersion(7)
    #expect(try connection.userVersion == 7)
    try connection.execute("PRAGMA application_id = 1752524132")
    #expect(try connection.applicationID == LibraryFolder.applicationID)
    #expect(try connection.text(pragma: "journal_mode") == "memory")
    #expect(try connection.integer(pragma: "no_such_pragma") == 0)
  }

  @Test func checkpointsUnlessReaderHoldsOn() throws {
    let path = scratch.file("t")
    try makeTable(path)
    let writer = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    try writer.execute("INSERT INTO t VALUES(2)")
    let reader = try DatabaseConnection(path: path, mode: .readOnly)
    let select = try reader.prepare("SELECT a FROM t")
    #expect(try select.step())
    try writer.execute("INSERT INTO t VALUES(3)")
    #expect(try !writer.checkpoint())
    select.reset()
    #expect(try writer.checkpoint(truncating: true))
    #expect(try bytes(path + "-wal").isEmpty)
  }

  private func makeTable(_ path: String) throws {
    let connection = try DatabaseConnection(path: path, mode: .readWrite(create: true))
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)")
  }

  private func preparedInsert(_ path: String) throws -> Statement {
    try DatabaseConnection(path: path, mode: .readWrite(create: false))
      .prepare("INSERT INTO t VALUES(2)")
  }

  private func count(_ path: String, _ mode: DatabaseConnection.Mode) throws -> Int64 {
    try DatabaseConnection(path: path, mode: mode).prepare("SELECT count(*) FROM t").row {
      $0.int64(0)
    }
      ?? 0
  }
}
