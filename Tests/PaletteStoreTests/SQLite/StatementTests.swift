import Foundation
import PaletteStore
import Testing

struct StatementTests {
  @Test(arguments: [0, 1, -1, .max, .min, 1 << 32])
  func keepsIntegers(value: Int64) throws {
    let select = try echo()
    try select.bind(value, at: 1)
    #expect(try select.row { $0.int64(0) } == value)
  }

  @Test(arguments: ["", "a", "a\0b", "\0", "ü🎨", String(repeating: "long ", count: 10_000)])
  func keepsText(value: String) throws {
    let select = try echo()
    try select.bind(value, at: 1)
    #expect(try select.row { $0.text(0) } == value)
    #expect(try select.row { $0.isNull(0) } == false)
    #expect(try select.row { $0.text(1) } == "text")
  }

  @Test func bridgedTextKeepsItsLength() throws {
    let select = try echo()
    try select.bind(NSString(string: "a\0ü") as String, at: 1)
    #expect(try select.row { $0.bytes(0) } == [0x61, 0, 0xC3, 0xBC])
  }

  @Test(arguments: [[], [0], [0, 255, 0], [UInt8](repeating: 9, count: 100_000)] as [[UInt8]])
  func keepsBytes(value: [UInt8]) throws {
    let select = try echo()
    try select.bind(value, at: 1)
    #expect(try select.row { $0.bytes(0) } == value)
    #expect(try select.row { $0.isNull(0) } == false)
    #expect(try select.row { $0.text(1) } == "blob")
    #expect(try select.row { $0.withBytes(0) { $0.count } } == value.count)
    try value.withUnsafeBytes { try select.bind($0, at: 1) }
    #expect(try select.row { $0.bytes(0) } == value)
  }

  @Test func bindsNull() throws {
    let select = try echo()
    try select.bind(1, at: 1)
    try select.bindNull(at: 1)
    #expect(try select.row { $0.isNull(0) } == true)
    try select.bind(nil as [UInt8]?, at: 1)
    #expect(try select.row { $0.isNull(0) } == true)
    try select.bind(nil as String?, at: 1)
    #expect(try select.row { $0.bytes(0) } == [])
    #expect(try select.row { $0.text(0) } == "")
    try select.bind(nil as Int64?, at: 1)
    #expect(try select.row { $0.int64(0) } == 0)
  }

  @Test func refusesParameterThatIsNotThere() throws {
    let select = try echo()
    for index in [0, 2, -1] as [Int32] {
      let error = #expect(throws: StoreError.self) { try select.bind(1, at: index) }
      #expect(error?.sqliteCode == 25)
    }
  }

  @Test(arguments: ["", " ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; garbage", "SELECT"])
  func refusesWhatIsNotOneStatement(sql: String) throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    let error = #expect(throws: StoreError.self) { _ = try connection.prepare(sql) }
    #expect(error?.sql == sql)
  }

  @Test func strictTableRefusesWrongType() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a INTEGER) STRICT")
    let insert = try connection.prepare("INSERT INTO t VALUES(?1)")
    try insert.bind("no number", at: 1)
    let error = #expect(throws: StoreError.self) { try insert.run() }
    #expect(error?.code == .constraint)
    try insert.bind(1, at: 1)
    try insert.run()
    #expect(connection.changes == 1)
  }

  @Test func runsAgainAfterItsEndAndAfterFailure() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY) STRICT")
    let insert = try connection.prepare("INSERT INTO t VALUES(?1) RETURNING a")
    for value in [1, 1, 2, 2, 3] as [Int64] {
      try insert.bind(value, at: 1)
      try? insert.run()
    }
    var found: [Int64] = []
    let select = try connection.prepare("SELECT a FROM t ORDER BY a")
    for _ in 0..<2 { try select.rows { found.append($0.int64(0)) } }
    #expect(found == [1, 2, 3, 1, 2, 3])
    #expect(try !connection.prepare("SELECT a FROM t WHERE a > 9").step())
  }

  @Test func resetsWhenReadingThrows() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
    let select = try connection.prepare("SELECT a FROM t ORDER BY a")
    let stop = StoreError(code: .interrupted, message: "enough")
    for _ in 0..<2 {
      #expect(throws: stop) {
        try select.rows { (row) throws(StoreError) in
          #expect(row.int64(0) == 1)
          throw stop
        }
      }
      #expect(throws: stop) { try select.row { (_) throws(StoreError) -> Int in throw stop } }
    }
    // A statement that was not reset would keep the table from being dropped.
    try connection.execute("DROP TABLE t")
  }

  private func echo() throws -> Statement {
    try DatabaseConnection(path: "", mode: .memory).prepare("SELECT ?1, typeof(?1)")
  }
}
