package import PaletteStore

/// A whole library as an entry of its log, for what no entry can say.
///
/// It waits for the database, so no loop makes one.
package struct LibraryJump: Sendable {
  private let log: any SharedLog
  private let claim: LogClaim
  private let cache: LibraryCache

  /// Names a library, and the file that has its content, which no store has open.
  package init(_ log: any SharedLog, _ claim: LogClaim, _ cache: LibraryCache) {
    self.log = log
    self.claim = claim
    self.cache = cache
  }

  /// Appends what the file has.
  ///
  /// - Parameters:
  ///   - position: The newest entry of the log.
  ///   - changes: A changeset that the file lacks; it has it afterwards.
  /// - Returns: The new entry, at which the file stands then.
  /// - Throws: `StoreError` and `SharedLogError`; the file is as it was unless the log has the entry.
  package func make(
    behind position: CachePosition,
    applying changes: [UInt8]? = nil
  ) throws -> CachePosition {
    let copy = try ImageCopy(of: cache.folder, at: cache.folder.file("jump"))
    let image = try ImageFile(copy, applying: changes)
    var upload = ImageUpload(image, as: claim, number: position.number + 1)
    try upload.send(to: log)
    let next = try upload.jump(behind: position, in: log)
    try cache.advance(to: next, applying: changes)
    return next
  }
}
