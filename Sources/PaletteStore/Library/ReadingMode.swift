/// How a database is read, by what its folder allows.
package enum ReadingMode: Hashable, Sendable {
  /// Beside a writer, through SQLite's shared memory.
  case shared
  /// As bytes that nobody changes.
  case immutable
  /// From a private copy of file and write-ahead log.
  case privateCopy

  /// Chooses the mode.
  ///
  /// Plain reading needs a `-shm` file, and cannot make one in a read-only folder; reading it as
  /// immutable ignores the write-ahead log, and would hide what was committed there.
  ///
  /// - Parameters:
  ///   - folderIsWritable: Whether files can be made in the folder.
  ///   - sharedMemoryExists: Whether the `-shm` file is there.
  ///   - logBytes: The size of the `-wal` file; 0 when there is none.
  package init(folderIsWritable: Bool, sharedMemoryExists: Bool, logBytes: Int) {
    if folderIsWritable || sharedMemoryExists {
      self = .shared
    } else {
      self = logBytes == 0 ? .immutable : .privateCopy
    }
  }
}
