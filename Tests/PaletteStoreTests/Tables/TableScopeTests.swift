import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Each table is recorded by a library's log, and can be, or is said to be local.
struct TableScopeTests {
  private let database: StoreDatabase

  init() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    for migration in LibrarySchema.current.migrations { try migration.apply(connection) }
    database = StoreDatabase(connection)
  }

  /// The first column of the rows that a statement gives.
  private func rows(_ sql: String) throws -> [String] {
    var found: [String] = []
    try database.prepare(sql).rows { found.append($0.text(0)) }
    return found
  }

  private var tables: [String] {
    get throws {
      try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    }
  }

  /// The reasons why a changeset cannot carry a table.
  private func obstacles(_ table: String) throws -> [String] {
    var found: [String] = []
    let sql = try rows("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '\(table)'")[
      0
    ]
    let isWithoutRowID =
      try rows(
        "SELECT wr FROM pragma_table_list WHERE name = '\(table)' AND schema = 'main'"
      ) == ["1"]
    let keys = try rows("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0")
    if keys.isEmpty { found.append("no primary key") }
    let nullable = try rows(
      """
      SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 AND NOT "notnull" AND type <> 'INTEGER'
      """
    )
    if !isWithoutRowID, !nullable.isEmpty || keys.count > 1 {
      found.append("keys that may be NULL")
    }
    if sql.uppercased().contains("AUTOINCREMENT") { found.append("AUTOINCREMENT") }
    if sql.uppercased().contains("VIRTUAL") { found.append("virtual") }
    if try !rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '\(table)'")
      .isEmpty
    {
      found.append("triggers")
    }
    if try !rows("SELECT \"table\" FROM pragma_foreign_key_list('\(table)')").isEmpty {
      found.append("foreign keys")
    }
    if try !rows("SELECT name FROM pragma_table_xinfo('\(table)') WHERE hidden > 0").isEmpty {
      found.append("generated columns")
    }
    return found
  }

  @Test func eachTableHasAnAnswer() throws {
    #expect(try Set(tables) == Set(TableScope.tables.keys))
  }

  @Test func whatIsRecordedCanBe() throws {
    for table in try tables where TableScope.tables[table] != .local {
      #expect(try obstacles(table).isEmpty, "\(table)")
    }
  }

  @Test(arguments: [
    ("CREATE TABLE bad(a TEXT)", "no primary key"),
    ("CREATE TABLE bad(a TEXT PRIMARY KEY)", "keys that may be NULL"),
    ("CREATE TABLE bad(id INTEGER PRIMARY KEY AUTOINCREMENT)", "AUTOINCREMENT"),
    ("CREATE VIRTUAL TABLE bad USING fts5(a)", "virtual"),
    (
      "CREATE TABLE bad(id INTEGER PRIMARY KEY); "
        + "CREATE TRIGGER t AFTER INSERT ON bad BEGIN DELETE FROM change; END", "triggers"
    ),
    (
      "CREATE TABLE bad(id INTEGER PRIMARY KEY, p INTEGER REFERENCES palette ON DELETE CASCADE)",
      "foreign keys"
    ),
    (
      "CREATE TABLE bad(id INTEGER PRIMARY KEY, b INTEGER GENERATED ALWAYS AS (id + 1))",
      "generated columns"
    ),
  ])
  func whatAChangesetCannotCarryIsSeen(sql: String, obstacle: String) throws {
    try database.execute(sql)
    #expect(try obstacles("bad").contains(obstacle))
  }
}
