internal import PaletteMerge
package import PaletteStore
internal import PaletteSync

/// The sending of an image to the log of its library, part by part.
///
/// It waits for the database, so no loop calls it.
package struct ImageUpload: Sendable {
  private let image: ImageFile
  private let claim: LogClaim
  /// The entry that the image stands for.
  private let number: Int64
  private var hash = LibraryImage.makeHash()
  private var parts = 0
  /// The bytes that were sent.
  package private(set) var bytes: Int64 = 0

  /// Begins to send an image.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - claim: The claim on the library.
  ///   - number: The number of the entry that it stands for.
  package init(_ image: ImageFile, as claim: LogClaim, number: Int64) {
    self.image = image
    self.claim = claim
    self.number = number
  }

  /// Sends what is left, each part by itself.
  ///
  /// - Throws: `StoreError` and `SharedLogError`; then a new image has to be begun.
  package mutating func send(to log: any SharedLog) throws {
    while parts < image.parts {
      let part = Deflate.squeeze(try image.part(parts))
      try log.addPart(parts, of: number, part, as: claim)
      hash.update(part)
      bytes += Int64(part.count)
      parts += 1
    }
  }

  /// Points the log at the image, and removes what it makes needless.
  ///
  /// - Throws: `SharedLogError`, with the outcome `fenced` where the library has changed hands.
  package func finish(in log: any SharedLog) throws(SharedLogError) {
    let image = LogImage(number: number, epoch: claim.epoch, parts: parts, hash: hash.finalize())
    guard try log.switchImage(to: image, as: claim) else { throw SharedLogError.fenced }
    try log.tidy(below: number, as: claim)
  }

  /// Appends the image as a jump behind an entry.
  ///
  /// - Parameters:
  ///   - position: The entry before it.
  ///   - log: The log.
  ///   - schema: The format of the image.
  /// - Returns: The position of the jump.
  /// - Throws: `SharedLogError`, with the outcome `fenced` where the log does not end there.
  package func jump(
    behind position: CachePosition,
    in log: any SharedLog,
    schema: Int = ChangeStore.formatVersion
  ) throws(SharedLogError) -> CachePosition {
    let hash = hash.finalize()
    let next = position.next(epoch: claim.epoch, content: hash)
    let image = LogImage(number: next.number, epoch: claim.epoch, parts: parts, hash: hash)
    let entry = LogEntry(position: next, content: nil)
    try log.jump(entry, to: image, schema: schema, after: position.hash, as: claim)
    // The next owner removes what stays.
    try? log.tidy(below: next.number, as: claim)
    return next
  }
}

extension SharedLog {
  /// Removes what the image of an entry makes needless, and what is left of other images.
  func tidy(below number: Int64, as claim: LogClaim) throws(SharedLogError) {
    try prune(through: number, as: claim)
    try sweep(as: claim)
  }
}
