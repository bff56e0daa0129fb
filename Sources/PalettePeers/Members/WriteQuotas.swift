/// The amounts that each member may write, and has written.
package final class WriteQuotas {
  /// The bytes of changes that a member may have in the log.
  var limitBytes = WriteQuotas.usualBytes
  /// The library's count plus what was written since.
  private var written: [Int64: Int] = [:]
  /// The amounts written since the library's count was saved.
  private(set) var unsaved: [Int64: Int] = [:]
  private var unsavedBytes = 0
  /// True if there is no room for what others write.
  private(set) var isFull = false
  private var nextSaveMilliseconds: Int64 = 0

  package static let usualBytes = 1 << 30
  /// A killed process loses at most this much of the count.
  private static let savedBytes = 1 << 20
  private static let saveMilliseconds: Int64 = 60_000

  /// Says whether there is no room for what others write.
  func setFull(_ isFull: Bool) { self.isFull = isFull }

  /// Counts what a member wrote.
  ///
  /// - Returns: Whether its share is used up by this.
  func add(_ bytes: Int, by member: Int64, known: () throws -> Int) rethrows -> Bool {
    let before = try bytesWritten(by: member, known: known)
    written[member] = before + bytes
    unsaved[member, default: 0] += bytes
    unsavedBytes += bytes
    return before < limitBytes && before + bytes >= limitBytes
  }

  /// Returns whether a member has written its share.
  func isUsedUp(by member: Int64, known: () throws -> Int) rethrows -> Bool {
    try bytesWritten(by: member, known: known) >= limitBytes
  }

  private func bytesWritten(by member: Int64, known: () throws -> Int) rethrows -> Int {
    if let bytes = written[member] { return bytes }
    let bytes = try known()
    written[member] = bytes
    return bytes
  }

  /// Returns whether it is time to save the count.
  func isDue(at now: Int64) -> Bool {
    unsavedBytes >= Self.savedBytes || unsavedBytes > 0 && now >= nextSaveMilliseconds
  }

  /// The count was saved.
  func removeUnsaved(at now: Int64) {
    unsaved = [:]
    unsavedBytes = 0
    nextSaveMilliseconds = now + Self.saveMilliseconds
  }

  /// Discards all counts, because the library has new ones.
  func forget() {
    written = [:]
    unsaved = [:]
    unsavedBytes = 0
  }
}
