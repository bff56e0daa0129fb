import PalettePlatform

/// The reason why the library could not be read or written.
///
/// The SQL of the statement is kept for diagnosis; the values bound to it never are.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of failure, as one stable word.
  public let code: Code
  /// The extended result code of SQLite, when the failure came from there.
  public let sqliteCode: Int32?
  /// One sentence for a person.
  public let message: String
  /// The text of the statement that failed.
  public let sql: String?
  /// The remedy for the person.
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

  /// The error of a failed call of the operating system on a file.
  ///
  /// - Parameters:
  ///   - systemError: The value of `errno`.
  ///   - action: What could not be done, as a verb.
  ///   - path: The file.
  ///   - writing: Whether the call wanted to write; then a missing permission means read-only.
  init(systemError: Int32, doing action: String, path: String, writing: Bool = false) {
    let code: Code =
      switch systemError {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES where writing, EPERM where writing: .readOnly
      case EROFS: .readOnly
      case EEXIST: .exists
      case EIO: .inputOutput
      default: .cannotOpen
      }
    self.init(
      code: code,
      message: "cannot \(action) \(path): \(String(cString: strerror(systemError)))"
    )
  }

  /// The hint where only a look at the library tells more.
  static let doctorHint = "run 'hued doctor' to see whether the library is whole"

  /// The usual remedy for a kind of failure.
  static func hint(for code: Code) -> String? {
    switch code {
    case .diskFull: "free some space and try again; nothing was lost"
    case .corrupt: "run 'hued doctor', and 'hued recover' with a backup if it finds damage"
    case .notALibrary: "choose another folder with --home, or put a backup here with 'hued recover'"
    case .newerFormat: "update this program"
    case .olderFormat: "any edit brings the library to the present format"
    case .locked: "wait until the other process is done, or end it"
    case .readOnly: "reading still works"
    case .inputOutput:
      "look after the disk, run 'hued doctor', and 'hued recover' with a backup if it finds damage"
    case .constraint: doctorHint
    case .cannotOpen: "run 'hued doctor' to see what is wrong with the folder"
    case .exists, .outOfMemory, .interrupted, .failed: nil
    }
  }

  /// True if the file or its disk failed, and not what was to be written.
  var isOfStorage: Bool {
    switch code {
    case .corrupt, .notALibrary, .readOnly, .diskFull, .inputOutput, .cannotOpen: true
    case .newerFormat, .olderFormat, .locked, .constraint, .exists, .outOfMemory, .interrupted,
      .failed:
      false
    }
  }

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

extension StoreError.Code {
  /// The kind of a system error that says more than "failed", else nil.
  init?(systemError: Int32) {
    switch systemError {
    case ENOSPC, EDQUOT: self = .diskFull
    case EROFS: self = .readOnly
    case ENOMEM: self = .outOfMemory
    default: return nil
    }
  }
}
