import PaletteStore
import PaletteTestSupport

/// Migrations of a small library, for tests.
enum Steps {
  static let first = Migration(version: 1) { (connection) throws(StoreError) in
    try connection.execute(MetaKey.tableSQL)
    try connection.execute("CREATE TABLE word(text TEXT NOT NULL) STRICT")
  }
  static let second = Migration(version: 2) { (connection) throws(StoreError) in
    try connection.execute("ALTER TABLE word ADD COLUMN size INTEGER")
  }
  static let failing = Migration(version: 2) { (connection) throws(StoreError) in
    try connection.execute("ALTER TABLE word ADD COLUMN size INTEGER")
    throw StoreError(code: .failed, message: "half-way")
  }
}

extension LibraryFolder {
  /// Opens for writing without waiting, with the first step unless others are given.
  func opened(
    _ migrations: [Migration] = [Steps.first],
    adopt: (borrowing DatabaseConnection, LibraryContinuity) throws(StoreError) -> Void = { _, _ in
    }
  ) throws(StoreError) -> WritableLibrary {
    // The system's own generator has no bytes, and ThreadSanitizer fails at the address of nothing.
    var random = SeededRandom(seed: .random(in: 0 ... .max))
    return try openForWriting(
      migrations: migrations,
      lockTimeoutMilliseconds: 0,
      using: &random,
      adopt: adopt
    )
  }

  /// Opens for writing, reports the continuity, and closes.
  func continuity() throws(StoreError) -> LibraryContinuity { try opened().continuity }

  /// Adds a word and closes.
  func add(_ word: String) throws(StoreError) {
    let library = try opened()
    try library.connection.add(word)
  }

  /// Opens a library that must be there for reading.
  func reader(newestVersion: Int = 1) throws(StoreError) -> ReadableLibrary {
    guard let library = try openForReading(newestVersion: newestVersion) else {
      throw StoreError(code: .cannotOpen, message: "there is no library")
    }
    return library
  }

  /// The words that a reader sees; nil when there is no library.
  func words(newestVersion: Int = 1) throws(StoreError) -> [String]? {
    guard let library = try openForReading(newestVersion: newestVersion) else { return nil }
    return try library.connection.words()
  }
}

extension DatabaseConnection {
  func add(_ word: String) throws(StoreError) {
    let insert = try prepare("INSERT INTO word(text) VALUES(?1)")
    try insert.bind(word, at: 1)
    try insert.run()
  }

  func add(_ words: [String]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for word in words { try add(word) }
    }
  }

  func words() throws(StoreError) -> [String] {
    var found: [String] = []
    try prepare("SELECT text FROM word ORDER BY rowid").rows { found.append($0.text(0)) }
    return found
  }
}
