/// Why the library could not be read or written.
///
/// The SQL of the statement is kept for diagnosis; the values bound to it never are.
public struct StoreError: Error, Hashable, Sendable {
  /// What went wrong, as one stable word.
  public let code: Code
  /// The extended result code of SQLite, when the failure came from there.
  public let sqliteCode: Int32?
  /// One sentence for a person.
  public let message: String
  /// The text of the statement that failed.
  public let sql: String?
  /// What the person can do about it.
  public let hint: String?

  /// Creates an error, with the usual hint of its kind where none is given.
  public init(
    code: Code,
    sqliteCode: Int32? = nil,
    message: String,
    sql: String? = nil,
    hint: String? = nil
  ) {
    self.code = code
    self.sqliteCode = sqliteCode
    self.message = message
    self.sql = sql
    self.hint = hint ?? Self.hint(for: code)
  }
}

extension StoreError {
  /// The kinds of failure; the raw values are the words that scripts see.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The bytes on disk are damaged.
    case corrupt
    /// The file is no SQLite database, or another program's.
    case notALibrary = "not-a-library"
    /// A newer version of this program wrote the file.
    case newerFormat = "newer-format"
    /// An older version wrote the file, and nobody has migrated it yet.
    case olderFormat = "older-format"
    /// Another process has the library open for writing.
    case locked
    /// The file, the folder or the file system cannot be written.
    case readOnly = "read-only"
    /// There is no space left, or a quota is used up.
    case diskFull = "disk-full"
    /// The operating system could not read or write.
    case inputOutput = "input-output"
    /// A row would break a rule of its table.
    case constraint
    /// A file could not be opened or created.
    case cannotOpen = "cannot-open"
    /// A file is already there, and nobody said to replace it.
    case exists
    /// There is not enough memory.
    case outOfMemory = "out-of-memory"
    /// The work was interrupted on request.
    case interrupted
    /// Anything else.
    case failed
  }
}

extension StoreError: CustomStringConvertible {
  /// The word, the message, and what is known beyond them, on one line.
  public var description: String {
    var text = "\(code.rawValue): \(message)"
    if let sqliteCode { text += " [SQLite \(sqliteCode)]" }
    if let sql { text += " in: \(sql)" }
    if let hint { text += " (\(hint))" }
    return text
  }
}
