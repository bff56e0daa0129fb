import PaletteStore
import Testing

struct ConnectionTests {
  @Test func runsStatements() throws {
    let connection = try Connection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB) STRICT")
    let insert = try connection.prepare("INSERT INTO t(b) VALUES(?1)")
    try insert.bind([1, 2, 3], at: 1)
    try insert.run()
    #expect(connection.changes == 1)
    let found = try connection.prepare("SELECT b FROM t").row { $0.bytes(0) }
    #expect(found == [1, 2, 3])
  }
}
