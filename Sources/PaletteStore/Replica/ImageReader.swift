import PaletteMerge
import PalettePlatform

/// The making of a cache from the parts of an image.
///
/// The file that was in the folder stays until the image is whole and found sound.
package final class ImageReader {
  private let cache: LibraryCache
  private let draft: String
  private var hash = LibraryImage.makeHash()
  private var offset: Int64 = 0
  private var isOpen = true

  /// Begins a cache.
  ///
  /// - Throws: `StoreError` when nothing can be written there.
  package init(for cache: LibraryCache) throws(StoreError) {
    self.cache = cache
    try cache.folder.create()
    draft = cache.folder.databasePath + ".image"
    try removeDatabase(draft)
    try makePrivateFile(draft)
  }

  deinit {
    // What cannot be removed is overwritten next time.
    if isOpen { try? removeDatabase(draft) }
  }

  /// Adds the next part.
  ///
  /// - Parameters:
  ///   - part: The part as the log keeps it.
  ///   - expand: Gives what it was squeezed from, at most `LibraryImage.partBytes`.
  /// - Throws: What `expand` throws, or `StoreError` when it cannot be written.
  package func add(
    _ part: [UInt8],
    expand: ([UInt8]) throws(StoreError) -> [UInt8]
  ) throws(StoreError) {
    let bytes = try expand(part)
    guard bytes.count <= LibraryImage.partBytes else {
      throw StoreError(code: .corrupt, message: "a part of the image is too long")
    }
    hash.update(part)
    let file = try FileDescriptor(path: draft, flags: O_WRONLY)
    let written = bytes.withUnsafeBytes { buffer in
      Platform.retried { pwrite(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset)) }
    }
    guard written == bytes.count else {
      throw StoreError(
        systemError: written >= 0 ? ENOSPC : errno,
        doing: "write",
        path: draft,
        writing: true
      )
    }
    offset += Int64(bytes.count)
  }

  /// Puts the cache in place, after all parts were added.
  ///
  /// - Parameters:
  ///   - position: The entry that the image is of.
  ///   - hash: The hash that the log keeps of the image.
  /// - Throws: `StoreError` with code `corrupt` where the parts are not that image, `newerFormat` and
  ///   others; then the cache is as it was.
  package func finish(at position: CachePosition, hash: [UInt8]) throws(StoreError) {
    guard self.hash.finalize() == hash else {
      throw StoreError(code: .corrupt, message: "the parts are not those of the image")
    }
    let folder = cache.folder
    let lock = try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 1_000)
    try folder.checkHeader(of: draft, newestVersion: cache.schema.version)
    do {
      let connection = try DatabaseConnection(path: draft, mode: .readWrite(create: false))
      try folder.checkFormat(connection, of: draft, newestVersion: cache.schema.version)
      try connection.execute("PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF")
      try connection.transaction { () throws(StoreError) in
        try LibraryImage.removeLocal(connection)
        try connection.setLocal(.position, position.bytes)
      }
    }
    try cache.remove()
    try move(draft, to: folder.databasePath)
    isOpen = false
    _ = consume lock
  }
}
