import PalettePlatform

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
    guard try checkFile(newestVersion: newestVersion) else { return nil }
    let mode = try ReadingMode(of: databasePath)
    let isSharedMemoryInUse = try fileSize(databasePath + "-shm") ?? 0 >= Self.sharedMemoryBytes
    do throws(StoreError) {
      return try openForReading(newestVersion: newestVersion, mode: mode)
    } catch  where mode == .shared && !isSharedMemoryInUse && Self.deniesSharedMemory(error.code) {
      // A full disk, say, is as good as a read-only folder to a reader.
      let other = ReadingMode(
        folderIsWritable: false,
        sharedMemoryExists: false,
        logBytes: try fileSize(databasePath + "-wal") ?? 0
      )
      return try openForReading(newestVersion: newestVersion, mode: other)
    }
  }

  private func openForReading(
    newestVersion: Int,
    mode: ReadingMode
  ) throws(StoreError) -> ReadableLibrary {
    let connection = try mode.open(databasePath)
    let version = try checkFormat(connection, of: databasePath, newestVersion: newestVersion)
    let continuity = try readContinuity(connection)
    return ReadableLibrary(
      connection: connection,
      version: version,
      continuity: continuity,
      mode: mode
    )
  }

  /// The size that a `-shm` file has at least while a database is open.
  private static let sharedMemoryBytes = 32_768

  private static func deniesSharedMemory(_ code: StoreError.Code) -> Bool {
    [.diskFull, .readOnly, .cannotOpen].contains(code)
  }
}
