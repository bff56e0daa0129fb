package import PaletteStore

/// The cache of a library that this hub owns, while its room is closed.
///
/// What it does waits for the database, so no loop calls it.
package struct OwnedCache: Sendable {
  let log: any SharedLog
  let claim: LogClaim
  let cache: LibraryCache

  /// Names a library by the claim on it, and the place of its cache, which no store has open.
  package init(_ log: any SharedLog, _ claim: LogClaim, _ cache: LibraryCache) {
    self.log = log
    self.claim = claim
    self.cache = cache
  }
}
