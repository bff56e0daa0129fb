import PalettePlatform

/// A copy of a library's file, which goes with this value.
package final class ImageCopy: Sendable {
  fileprivate let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Copies the file of a library that no store has open.
  ///
  /// - Parameters:
  ///   - folder: The library.
  ///   - path: The name of a temporary file.
  ///   - schema: The newest format.
  /// - Throws: `StoreError` with code `locked` where it is open, and when it cannot be copied.
  package convenience init(
    of folder: LibraryFolder,
    at path: String,
    schema: LibrarySchema = .current
  ) throws(StoreError) {
    self.init(path)
    try removeDatabase(path)
    try makePrivateFile(path)
    let connection = try folder.openCache(newestVersion: schema.version)
    var copy = try SteppedCopy(of: connection, to: path)
    while try !copy.advance(pages: 1_024) {}
  }

  deinit {
    // What cannot be removed is overwritten next time.
    try? removeDatabase(path)
  }
}

/// An image of a library as a file: what is true of every copy of the library.
///
/// It may be made and read on any thread, since nobody else has the copy.
package struct ImageFile: Sendable {
  /// The newest entry that it holds, as the file says; nil for a library that never had a log.
  package let position: CachePosition?
  /// The number of its parts.
  package let parts: Int

  private let copy: ImageCopy
  private let bytes: Int64

  /// Makes an image of a copy.
  ///
  /// - Parameters:
  ///   - copy: The copy, which is changed.
  ///   - changes: A changeset that it lacks.
  /// - Throws: `StoreError` where it cannot be written, or the changes are not of this library.
  package init(_ copy: ImageCopy, applying changes: [UInt8]? = nil) throws(StoreError) {
    self.copy = copy
    do {
      let connection = try DatabaseConnection(path: copy.path, mode: .readWrite(create: false))
      // Without the image the file is worthless, so nothing protects it on the way.
      try connection.execute("PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF")
      if let changes { try Changeset(changes).apply(to: connection) }
      try LibraryImage.removeLocal(connection)
      position = try connection.local(.position).flatMap { CachePosition(bytes: $0) }
      let mode = try connection.text(pragma: "journal_mode = DELETE")
      guard mode == "delete" else {
        throw StoreError(code: .failed, message: "the image kept journal mode \(mode)")
      }
    }
    guard let size = try fileSize(copy.path), size > 0 else {
      throw StoreError(code: .inputOutput, message: "the image is gone: \(copy.path)")
    }
    bytes = Int64(size)
    parts = (size + LibraryImage.partBytes - 1) / LibraryImage.partBytes
  }

  /// Reads a part, not squeezed.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  package func part(_ number: Int) throws(StoreError) -> [UInt8] {
    let offset = Int64(number) * Int64(LibraryImage.partBytes)
    let file = try FileDescriptor(path: copy.path, flags: O_RDONLY)
    let wanted = Int(max(0, min(Int64(LibraryImage.partBytes), bytes - offset)))
    var part = [UInt8](repeating: 0, count: wanted)
    let count = part.withUnsafeMutableBytes { buffer in
      Platform.retried { pread(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset)) }
    }
    guard count == wanted else {
      throw StoreError(systemError: count < 0 ? errno : EIO, doing: "read", path: copy.path)
    }
    return part
  }
}
