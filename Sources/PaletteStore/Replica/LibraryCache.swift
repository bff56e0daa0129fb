import CSQLite
import PalettePlatform

/// The file of a library on one machine, as a cache of the library's log.
///
/// It is good only if it was closed as it should be, on this machine since it started, and nobody touched
/// it since; anything else is made again from an image. The folder is local, and its owner's alone.
package struct LibraryCache: Sendable {
  /// The place of the library.
  package let folder: LibraryFolder
  /// The schema to which it is brought.
  package let schema: LibrarySchema

  private var closedPath: String { folder.file("closed") }
  private static let positionText = 512

  /// Names a cache; nothing is read.
  package init(_ folder: LibraryFolder, schema: LibrarySchema = .current) {
    self.folder = folder
    self.schema = schema
  }

  /// Begins to use the cache.
  ///
  /// From here on it is good no more until it is closed, whatever becomes of the process.
  ///
  /// - Returns: The newest entry that it holds; nil where it is not good, or not there.
  /// - Throws: `StoreError` where that cannot be told or the folder cannot be written.
  package func begin() throws(StoreError) -> CachePosition? {
    let text = try FileDescriptor.contents(of: closedPath, limit: Self.positionText)
    guard unlink(closedPath) == 0 || errno == ENOENT else {
      throw StoreError(systemError: errno, doing: "remove", path: closedPath, writing: true)
    }
    guard let text = text.map({ String(decoding: $0, as: UTF8.self) }),
      let position = CleanClose.position(in: text), try folder.exists
    else { return nil }
    // What SQLite left beside the file, or a file that is no file, says that it is not good.
    guard let found = try? CleanClose(of: folder, at: position), found.text == text,
      try storedPosition() == position
    else { return nil }
    return position
  }

  /// Brings the file to the newest format.
  ///
  /// Its log gets that as a jump before the library does anything else: no entry has it.
  ///
  /// - Returns: True if the file was older.
  /// - Throws: `StoreError` with code `cannotOpen` where there is none, and what opening it throws.
  package func migrate() throws(StoreError) -> Bool {
    guard try folder.exists else {
      throw StoreError(code: .cannotOpen, message: "there is no cache: \(folder.path)")
    }
    var random = SystemRandomNumberGenerator()
    let opened = try folder.openForWriting(
      as: .cache,
      migrations: schema.migrations,
      lockTimeoutMilliseconds: 0,
      using: &random
    )
    return opened.migratedFrom != nil
  }

  /// Ends the use of the cache, of which no store or connection is left open.
  ///
  /// - Returns: The position that it has; nil where it could not be closed as it should be, and is to be
  ///   made again.
  /// - Throws: `StoreError` with code `locked` where it is open, and where it cannot be written.
  @discardableResult
  package func close() throws(StoreError) -> CachePosition? {
    var closed: CachePosition?
    do {
      let connection = try folder.openCache(newestVersion: schema.version)
      let isWhole = try connection.checkpoint(truncating: true)
      closed = try connection.local(.position).flatMap { CachePosition(bytes: $0) }
      if !isWhole { closed = nil }
    }
    guard let closed, let close = try? CleanClose(of: folder, at: closed) else { return nil }
    let draft = closedPath + ".new"
    do {
      let file = try FileDescriptor(path: draft, flags: O_WRONLY | O_CREAT, mode: 0o600)
      try file.replaceContents(Array(close.text.utf8), path: draft)
    }
    try move(draft, to: closedPath)
    return closed
  }

  /// Makes the file, which no store has open, what its log says after a jump.
  ///
  /// - Parameters:
  ///   - position: The jump.
  ///   - changes: A changeset that the image of the jump has, and the file lacks.
  /// - Throws: `StoreError` where it cannot be written; then it is to be made again.
  package func advance(
    to position: CachePosition,
    applying changes: [UInt8]? = nil
  ) throws(StoreError) {
    let connection = try folder.openCache(newestVersion: schema.version)
    try connection.transaction { () throws(StoreError) in
      if let changes { try Changeset(changes).apply(to: connection) }
      try connection.setLocal(.position, position.bytes)
    }
  }

  /// Removes the cache.
  package func remove() throws(StoreError) {
    unlink(closedPath)
    try removeDatabase(folder.databasePath)
  }

  /// Gives the file another name, where it may hold what its log has lost.
  ///
  /// - Parameter timestamp: The end of the name.
  /// - Returns: The new path.
  /// - Throws: `StoreError` where there is a file of that name, or the folder cannot be written.
  package func putAside(_ timestamp: String) throws(StoreError) -> String {
    unlink(closedPath)
    let aside = "\(folder.databasePath).aside-\(timestamp)"
    guard access(aside, F_OK) != 0 else {
      throw StoreError(code: .exists, message: "there is a file already: \(aside)")
    }
    // The log of a file belongs to it; its shared memory is made again.
    if try fileSize(folder.databasePath + "-wal") != nil {
      try move(folder.databasePath + "-wal", to: aside + "-wal")
    }
    try move(folder.databasePath, to: aside)
    try removeDatabase(folder.databasePath)
    return aside
  }

  /// The newest entry that a file says to have which is not good; nil where none can be read.
  ///
  /// Nothing is made of such a file, but it may hold what its log has lost.
  package var doubtfulPosition: CachePosition? {
    do throws(StoreError) {
      guard try folder.exists else { return nil }
      let connection = try DatabaseConnection(path: folder.databasePath, mode: .readOnly)
      return try connection.local(.position).flatMap { CachePosition(bytes: $0) }
    } catch {
      return nil
    }
  }

  /// The position that the file itself says.
  private func storedPosition() throws(StoreError) -> CachePosition? {
    do throws(StoreError) {
      let connection = try DatabaseConnection(path: folder.databasePath, mode: .immutable)
      return try connection.local(.position).flatMap { CachePosition(bytes: $0) }
    } catch {
      // Damage is a reason to make it again, and no failure.
      return nil
    }
  }
}
