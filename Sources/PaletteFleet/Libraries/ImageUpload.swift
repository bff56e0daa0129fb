internal import PaletteMerge
package import PaletteStore
internal import PaletteSync

/// Sends an image of a library to its log, in steps between which others have their turn.
package final class ImageUpload {
  private let log: any SharedLog
  private let claim: LogClaim
  private let writer: ImageWriter
  /// The entry that the image is to be, for a jump; nil where the file says it.
  private let jumpNumber: Int64?
  private var hash = LibraryImage.makeHash()
  private var parts = 0

  /// Begins to send a library that is open.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - path: A temporary file.
  ///   - log: The shared log.
  ///   - claim: The claim on the library.
  ///   - jumpNumber: The number of the entry that the image becomes; nil for an image as of an entry that
  ///     the log has.
  /// - Throws: `StoreError` when the file cannot be made.
  package init(
    of store: ChangeStore,
    at path: String,
    to log: any SharedLog,
    as claim: LogClaim,
    jumpingTo jumpNumber: Int64? = nil
  ) throws(StoreError) {
    self.log = log
    self.claim = claim
    self.jumpNumber = jumpNumber
    writer = try ImageWriter(of: store, at: path)
  }

  /// Copies some pages, or sends a part.
  ///
  /// - Returns: Whether all parts are there.
  /// - Throws: `StoreError` and `SharedLogError`; then a new image has to be begun.
  package func advance() throws -> Bool {
    guard !writer.isDone else { return true }
    guard let bytes = try writer.advance() else { return writer.isDone }
    let part = Deflate.squeeze(bytes)
    guard let number = jumpNumber ?? writer.position?.number else {
      throw StoreError(code: .failed, message: "the library has no place in its log")
    }
    try log.addPart(parts, of: number, part, as: claim)
    hash.update(part)
    parts += 1
    return writer.isDone
  }

  /// Points the log at the image, and removes what it makes needless.
  ///
  /// - Throws: `SharedLogError`, with the outcome `fenced` where the library has changed hands.
  package func finish() throws {
    guard let position = writer.position else { throw SharedLogError.fenced }
    let image = LogImage(
      number: position.number,
      epoch: claim.epoch,
      parts: parts,
      hash: hash.finalize()
    )
    guard try log.switchImage(to: image, as: claim) else { throw SharedLogError.fenced }
    try clean(upTo: position.number)
  }

  /// Appends the image as a jump behind an entry.
  ///
  /// - Parameter position: The entry before it.
  /// - Returns: The position of the jump.
  /// - Throws: `SharedLogError`, with the outcome `fenced` where the log does not end there.
  package func jump(behind position: CachePosition) throws -> CachePosition {
    let hash = hash.finalize()
    let next = position.next(epoch: claim.epoch, content: hash)
    let image = LogImage(number: next.number, epoch: claim.epoch, parts: parts, hash: hash)
    let entry = LogEntry(position: next, content: nil)
    let schema = ChangeStore.formatVersion
    try log.jump(entry, to: image, schema: schema, after: position.hash, as: claim)
    try clean(upTo: next.number)
    return next
  }

  private func clean(upTo number: Int64) throws {
    try log.prune(through: number, as: claim)
    try log.sweep(as: claim)
  }
}
