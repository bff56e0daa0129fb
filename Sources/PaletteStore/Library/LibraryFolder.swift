import PalettePlatform

/// The folder that a library lives in: its SQLite file, its lock, and what a node puts beside them.
///
/// The folder is made with mode 0700 and its files with 0600, whatever the process's umask is.
public struct LibraryFolder: Hashable, Sendable {
  /// The folder from the root.
  public let path: String

  /// Names a folder; nothing is read or created.
  ///
  /// - Throws: `StoreError` with code `cannotOpen` when the text is no path.
  public init(_ path: String) throws(StoreError) {
    self.path = try AbsolutePath(path).text
  }

  /// The SQLite file.
  package var databasePath: String { file(Self.databaseName) }
  /// The file that is locked while the library is open for writing.
  package var lockPath: String { file("lock") }
  /// The file that changes at every opening for writing.
  package var openedPath: String { file("opened") }
  /// The Unix socket of the node that has the library open.
  package var socketPath: String { file("node.sock") }
  /// The settings that belong to this library.
  package var configurationPath: String { file("config.json") }

  static let databaseName = "library.sqlite"
  /// What SQLite appends to the name of a database for the files beside it.
  static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]

  /// A file in the folder.
  package func file(_ name: String) -> String {
    path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
  }

  /// Whether there is a library here.
  ///
  /// - Throws: `StoreError` where that cannot be told: only a folder that is not there is empty.
  public var exists: Bool {
    get throws(StoreError) {
      if try fileSize(databasePath) != nil { return true }
      var status = stat()
      guard stat(path, &status) != 0, lstat(path, &status) == 0 else { return false }
      throw StoreError(code: .cannotOpen, message: "the link \(path) leads nowhere")
    }
  }
}
