package import PaletteMerge
import PalettePlatform

/// An image of a library: its whole SQLite file, in parts that are squeezed each by itself.
package enum LibraryImage {
  /// The bytes of the file in a part, but for the last one, which may have fewer.
  package static let partBytes = 1 << 20
  /// The hash of an image: BLAKE2b-128 over its parts as they are kept, in their order.
  package static func makeHash() -> BLAKE2b { BLAKE2b(resultLength: CachePosition.hashBytes) }

  /// Removes from an image what is true of one file only.
  static func removeLocal(_ connection: borrowing DatabaseConnection) throws(StoreError) {
    // What peers gave this machine to keep is in no page of an image either.
    try connection.execute("PRAGMA secure_delete = ON")
    for (table, scope) in TableScope.tables.sorted(by: { $0.key < $1.key }) where scope == .local {
      guard try connection.has(table: table) else { continue }
      if table == "local" {
        try connection.execute("DELETE FROM local WHERE key <> '\(LocalKey.position.name)'")
      } else {
        try connection.execute("DELETE FROM \(table)")
      }
    }
  }
}

/// The writing of an image of an open library, in steps between which it goes on.
package final class ImageWriter {
  /// The state of the work: the copy of the file, and then its parts.
  private enum Stage {
    case copying
    case reading(offset: Int64)
    case done
  }

  private let path: String
  private var copy: SteppedCopy?
  private var stage = Stage.copying
  /// The newest entry that the image holds, as the file says; nil for a library that never had a log.
  ///
  /// It is known when the first part is.
  package private(set) var position: CachePosition?
  /// The size of the file; known when the first part is.
  package private(set) var bytes: Int64 = 0

  /// Begins an image.
  ///
  /// - Parameters:
  ///   - store: The library, which is open for writing.
  ///   - path: The name of a temporary file, which goes with this.
  /// - Throws: `StoreError` when the file cannot be made.
  package init(of store: ChangeStore, at path: String) throws(StoreError) {
    self.path = path
    try removeDatabase(path)
    try makePrivateFile(path)
    copy = try SteppedCopy(of: store.database.connection, to: path)
  }

  deinit {
    copy = nil
    // What cannot be removed is overwritten next time.
    try? removeDatabase(path)
  }

  /// True when all parts were given.
  package var isDone: Bool {
    if case .done = stage { true } else { false }
  }

  /// Takes one step: copies some pages, or reads the next part.
  ///
  /// - Parameter pages: The number of pages that a step copies; each is some microseconds.
  /// - Returns: The next part, not squeezed; nil where there is none yet, or none is left.
  /// - Throws: `StoreError` when the image cannot be made; then a new one has to be begun.
  package func advance(pages: Int32 = 256) throws(StoreError) -> [UInt8]? {
    switch stage {
    case .copying:
      guard try copy?.advance(pages: pages) == true else { return nil }
      try finishCopy()
      stage = .reading(offset: 0)
      return nil
    case .reading(let offset):
      let part = try read(at: offset)
      let next = offset + Int64(part.count)
      stage = next < bytes ? .reading(offset: next) : .done
      return part
    case .done: return nil
    }
  }

  private func finishCopy() throws(StoreError) {
    var found: CachePosition?
    try copy?.complete { (connection) throws(StoreError) in
      try LibraryImage.removeLocal(connection)
      found = try connection.local(.position).flatMap { CachePosition(bytes: $0) }
    }
    copy = nil
    position = found
    guard let size = try fileSize(path), size > 0 else {
      throw StoreError(code: .inputOutput, message: "the image is gone: \(path)")
    }
    bytes = Int64(size)
  }

  private func read(at offset: Int64) throws(StoreError) -> [UInt8] {
    let file = try FileDescriptor(path: path, flags: O_RDONLY)
    let wanted = Int(min(Int64(LibraryImage.partBytes), bytes - offset))
    var part = [UInt8](repeating: 0, count: wanted)
    let count = part.withUnsafeMutableBytes { buffer in
      Platform.retried { pread(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset)) }
    }
    guard count == wanted else {
      throw StoreError(systemError: count < 0 ? errno : EIO, doing: "read", path: path)
    }
    return part
  }
}
