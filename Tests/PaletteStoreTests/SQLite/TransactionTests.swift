import PaletteStore
import Testing

struct TransactionTests {
  let stop = StoreError(code: .interrupted, message: "enough")

  @Test func keepsAllOrNothing() throws {
    let connection = try table()
    let result = try connection.transaction { () throws(StoreError) -> Int in
      try connection.execute("INSERT INTO t VALUES(1)")
      #expect(connection.isInTransaction == true)
      return 5
    }
    #expect(result == 5)
    #expect(throws: stop) {
      try connection.transaction { () throws(StoreError) in
        try connection.execute("INSERT INTO t VALUES(2)")
        throw stop
      }
    }
    #expect(try rows(connection) == 1)
    #expect(connection.isInTransaction == false)
  }

  @Test func rollsBackWhenCommitFails() throws {
    let connection = try table()
    try connection.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE child(t INTEGER REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)
      """
    )
    let error = #expect(throws: StoreError.self) {
      try connection.transaction { () throws(StoreError) in
        try connection.execute("INSERT INTO t VALUES(1); INSERT INTO child VALUES(9)")
      }
    }
    #expect(error?.code == .constraint)
    #expect(connection.isInTransaction == false)
    #expect(try rows(connection) == 0)
    try connection.begin()
    try connection.execute("INSERT INTO child VALUES(9)")
    #expect(throws: StoreError.self) { try connection.commit() }
    #expect(connection.isInTransaction == false)
  }

  @Test func doesNotNestAndSparesTheOuterOne() throws {
    let connection = try table()
    try connection.transaction { () throws(StoreError) in
      try connection.execute("INSERT INTO t VALUES(1)")
      #expect(throws: StoreError.self) {
        try connection.transaction { () throws(StoreError) in
          try connection.execute("INSERT INTO t VALUES(2)")
        }
      }
      try connection.execute("INSERT INTO t VALUES(3)")
    }
    #expect(try rows(connection) == 2)
  }

  @Test func survivesARollbackByTheStatement() throws {
    let connection = try table()
    let error = #expect(throws: StoreError.self) {
      try connection.transaction { () throws(StoreError) in
        try connection.execute("INSERT INTO t VALUES(1)")
        try connection.execute("INSERT OR ROLLBACK INTO t VALUES(1)")
      }
    }
    #expect(error?.code == .constraint)
    #expect(try rows(connection) == 0)
    connection.rollBack()
    try connection.begin()
    connection.rollBack()
    #expect(connection.isInTransaction == false)
  }

  private func table() throws -> DatabaseConnection {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY) STRICT")
    return connection
  }

  private func rows(_ connection: borrowing DatabaseConnection) throws -> Int64? {
    try connection.prepare("SELECT count(*) FROM t").row { $0.int64(0) }
  }
}
