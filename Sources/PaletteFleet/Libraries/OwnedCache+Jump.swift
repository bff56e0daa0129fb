package import PaletteStore

extension OwnedCache {
  /// Appends the whole library as an entry, for what no entry can say.
  ///
  /// - Parameters:
  ///   - position: The newest entry of the log.
  ///   - changes: A changeset that the file lacks; it has it afterwards.
  /// - Returns: The new entry, at which the file stands then.
  /// - Throws: `StoreError` and `SharedLogError`; the file is as it was unless the log has the entry.
  package func jump(
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
