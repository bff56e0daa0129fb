package import PaletteMerge

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
      if table == "local" {
        try connection.execute("DELETE FROM local WHERE key <> '\(LocalKey.position.name)'")
      } else {
        try connection.execute("DELETE FROM \(table)")
      }
    }
  }
}

/// The copying of an open library for an image, in steps between which it goes on.
package final class ImageWriter {
  private let path: String
  private var copy: SteppedCopy?

  /// Begins a copy.
  ///
  /// - Parameters:
  ///   - store: The library, which is open for writing.
  ///   - path: The name of a temporary file.
  /// - Throws: `StoreError` when the file cannot be made.
  package init(of store: ChangeStore, at path: String) throws(StoreError) {
    self.path = path
    try removeDatabase(path)
    try makePrivateFile(path)
    copy = try SteppedCopy(of: store.database.connection, to: path)
  }

  deinit {
    guard copy != nil else { return }
    copy = nil
    // What cannot be removed is overwritten next time.
    try? removeDatabase(path)
  }

  /// Copies some pages.
  ///
  /// - Parameter pages: The number of pages; each is some microseconds.
  /// - Returns: The library as of this step once all is copied; nil before that.
  /// - Throws: `StoreError` when it cannot be copied; then a new copy has to be begun.
  package func advance(pages: Int32 = 256) throws(StoreError) -> ImageCopy? {
    guard try copy?.advance(pages: pages) == true else { return nil }
    copy = nil
    return ImageCopy(path)
  }
}
