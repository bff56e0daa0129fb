import Foundation
import PaletteStore
import Testing

struct StoreErrorTests {
  struct Case {
    let sqliteCode: Int32
    var systemError: Int32 = 0
    let code: StoreError.Code
  }

  // The numbers are those of https://sqlite.org/rescode.html.
  @Test(arguments: [
    Case(sqliteCode: 11, code: .corrupt), Case(sqliteCode: 26, code: .corrupt),
    Case(sqliteCode: 267, code: .corrupt), Case(sqliteCode: 13, code: .diskFull),
    Case(sqliteCode: 778, systemError: ENOSPC, code: .diskFull),
    Case(sqliteCode: 778, systemError: EDQUOT, code: .diskFull),
    Case(sqliteCode: 778, systemError: EIO, code: .inputOutput),
    Case(sqliteCode: 778, systemError: EROFS, code: .readOnly),
    Case(sqliteCode: 4874, systemError: ENOSPC, code: .diskFull),
    Case(sqliteCode: 4874, code: .inputOutput), Case(sqliteCode: 8, code: .readOnly),
    Case(sqliteCode: 1288, code: .readOnly), Case(sqliteCode: 5, code: .locked),
    Case(sqliteCode: 261, code: .locked), Case(sqliteCode: 6, code: .locked),
    Case(sqliteCode: 15, code: .locked), Case(sqliteCode: 19, code: .constraint),
    Case(sqliteCode: 1555, code: .constraint), Case(sqliteCode: 14, code: .cannotOpen),
    Case(sqliteCode: 14, systemError: ENOSPC, code: .diskFull),
    Case(sqliteCode: 14, systemError: ENOENT, code: .cannotOpen),
    Case(sqliteCode: 7, code: .outOfMemory), Case(sqliteCode: 9, code: .interrupted),
    Case(sqliteCode: 1, code: .failed), Case(sqliteCode: 21, code: .failed),
    Case(sqliteCode: 5, systemError: ENOSPC, code: .locked),
  ])
  func mapsCodes(of example: Case) {
    #expect(
      StoreError.Code(sqliteCode: example.sqliteCode, systemError: example.systemError)
        == example.code
    )
  }

  @Test func wordsAreThoseOfScripts() {
    let words = StoreError.Code.allCases.map(\.rawValue)
    for word in ["corrupt", "locked", "read-only", "disk-full", "newer-format"] {
      #expect(words.contains(word))
    }
  }

  @Test func showsStatementButNeverValues() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    try connection.execute("CREATE TABLE t(a TEXT PRIMARY KEY) STRICT")
    let insert = try connection.prepare("INSERT INTO t VALUES(?1)")
    try insert.bind("secret name", at: 1)
    try insert.run()
    let error = try #require(throws: StoreError.self) { try insert.run() }
    #expect(error.code == .constraint)
    #expect(error.sqliteCode == 1555)
    #expect(error.sql == "INSERT INTO t VALUES(?1)")
    #expect(error.description.contains("INSERT INTO t VALUES(?1)"))
    #expect(error.description.hasPrefix("constraint: "))
    #expect(!error.description.contains("secret"))
  }
}
