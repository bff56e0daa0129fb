import Glibc

extension LibraryFolder {
  /// Opens the library for reading, without a lock and without writing anything to it.
  ///
  /// In a read-only folder nothing can be put beside the file, and what is read is the state of
  /// this moment; elsewhere every read transaction sees the newest commit.
  ///
  /// - Parameter newestVersion: The newest schema version that the caller knows; the library's own
  ///   may be lower, and then only opening it for writing migrates it.
  /// - Returns: The library, or nil when there is none.
  /// - Throws: `StoreError` with code `notALibrary`, `newerFormat`, `corrupt` and others.
  package func openForReading(newestVersion: Int) throws(StoreError) -> ReadableLibrary? {
    guard try checkHeader(newestVersion: newestVersion) else { return nil }
    let mode = ReadingMode(of: databasePath)
    let connection = try mode.open(databasePath)
    let version = try checkFormat(connection, of: databasePath, newestVersion: newestVersion)
    let incarnation = try readIncarnation(connection)
    return ReadableLibrary(
      connection: connection,
      version: version,
      incarnation: incarnation,
      mode: mode
    )
  }
}
