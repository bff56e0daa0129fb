package import PaletteStore
internal import PaletteSync

/// Makes the cache of a library that this hub owns what its log says.
///
/// It waits for the database, so no loop calls it.
package struct CacheMaker: Sendable {
  /// The way in which a cache became good.
  package enum Outcome: Equatable, Sendable {
    /// It was, or entries made it so.
    case kept(entries: Int)
    /// It was made from an image, and then from entries.
    case made(entries: Int)
  }

  /// A cache that is as new as its log.
  package struct Made: Sendable {
    /// The newest entry.
    package let position: CachePosition
    /// The way in which it became so.
    package let outcome: Outcome
    /// The file that held more than the log, under its new name; nil where there was none.
    ///
    /// It may be the only one that has edits which were acknowledged.
    package let aside: String?
  }

  private let log: any SharedLog
  private let library: SharedLibraryID
  private let cache: LibraryCache

  /// Names a library and the place of its cache.
  package init(_ log: any SharedLog, _ library: SharedLibraryID, _ cache: LibraryCache) {
    self.log = log
    self.library = library
    self.cache = cache
  }

  /// Brings the cache to the end of the log.
  ///
  /// - Parameters:
  ///   - found: The entry at which the cache stands; nil where it is not good.
  ///   - state: The log as it was when the library was taken.
  ///   - timestamp: The end of the name of a file that is put aside.
  /// - Returns: What was done.
  /// - Throws: `StoreError` where the file cannot be written or what the log has is damaged, and
  ///   `SharedLogError`.
  package func make(
    from found: CachePosition?,
    for state: LogState,
    timestamp: String
  ) throws -> Made {
    var aside: String?
    if let found {
      if let (position, entries) = try? apply(behind: found, upTo: state) {
        return Made(position: position, outcome: .kept(entries: entries), aside: nil)
      }
      if try isForeign(found, to: state) { aside = try cache.putAside(timestamp) }
    } else if let doubtful = cache.doubtfulPosition, try isForeign(doubtful, to: state) {
      // Its hub was killed, and has acknowledged what the log has lost.
      aside = try cache.putAside(timestamp)
    }
    let (position, entries) = try makeAnew(state)
    return Made(position: position, outcome: .made(entries: entries), aside: aside)
  }

  /// Returns whether the cache stands at an entry that the log has lost.
  ///
  /// Of an entry below the image this cannot be told any more, since it may have been pruned.
  private func isForeign(_ found: CachePosition, to state: LogState) throws -> Bool {
    guard found.number < state.head else {
      return found.number > state.head || found.hash != state.hash
    }
    guard found.number >= state.image?.number ?? 0 else { return false }
    guard let entry = try log.tail(of: library, after: found.number - 1).first else { return false }
    return entry.position.number == found.number && entry.position.hash != found.hash
  }

  /// Makes the cache from the newest image, and what follows it.
  private func makeAnew(_ state: LogState) throws -> (position: CachePosition, entries: Int) {
    guard let image = state.image else {
      throw StoreError(code: .corrupt, message: "library \(library) has no image")
    }
    let reader = try ImageReader(for: cache)
    for number in 0..<image.parts {
      guard let part = try log.part(number, of: image, in: library) else {
        throw StoreError(code: .corrupt, message: "the image of library \(library) lacks a part")
      }
      try reader.add(part, expand: Self.expand(upTo: LibraryImage.partBytes))
    }
    // The image's own entry is kept as long as the image is.
    let tail = try log.tail(of: library, after: image.number - 1)
    guard let start = tail.first?.position, start.number == image.number else {
      throw StoreError(code: .corrupt, message: "the log lacks entry \(image.number)")
    }
    try reader.finish(at: start, hash: image.hash)
    return try apply(behind: start, upTo: state, beginningWith: Array(tail.dropFirst()))
  }

  /// Applies entries up to the head, which the last one has to be.
  private func apply(
    behind start: CachePosition,
    upTo state: LogState,
    beginningWith known: [LogEntry] = []
  ) throws -> (position: CachePosition, entries: Int) {
    var position = start
    var count = 0
    if position.number < state.head {
      var applier = try EntryApplier(cache.folder, schema: cache.schema)
      var next = known
      while position.number < state.head {
        if next.isEmpty { next = try log.tail(of: library, after: position.number) }
        // Others may have appended more since.
        next = next.filter { $0.position.number <= state.head }
        guard !next.isEmpty else { break }
        try applier.apply(next, expand: Self.expand(upTo: Self.changesetLimit))
        position = applier.position
        count += next.count
        next = []
      }
    }
    guard position.number == state.head, position.hash == state.hash else {
      throw StoreError(code: .corrupt, message: "the file is not what the log says")
    }
    return (position, count)
  }

  /// The longest changeset of an entry.
  static let changesetLimit = 256 << 20

  private static func expand(upTo limit: Int) -> ([UInt8]) throws(StoreError) -> [UInt8] {
    { (bytes) throws(StoreError) in
      do {
        return try Deflate.expand(bytes, limit: limit)
      } catch {
        throw StoreError(code: .corrupt, message: "what the log has cannot be read")
      }
    }
  }
}
