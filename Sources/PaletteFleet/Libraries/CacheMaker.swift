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
    /// How it became so.
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

  /// Brings the cache to the end of the log, which nobody else writes meanwhile.
  ///
  /// - Parameters:
  ///   - state: The log as it was when the library was taken.
  ///   - timestamp: The end of the name of a file that is put aside.
  /// - Returns: What was done.
  /// - Throws: `StoreError` where the file cannot be written or what the log has is damaged, and
  ///   `SharedLogError`.
  package func make(for state: LogState, timestamp: String) throws -> Made {
    let head = CachePosition(number: state.head, epoch: 0, hash: state.hash)
    let found = try cache.begin()
    var aside: String?
    if let found {
      if let kept = try? follow(from: found, to: head) { return kept }
      if found.number > head.number || found.number == head.number && found.hash != head.hash {
        aside = try cache.putAside(timestamp)
      }
    }
    return try makeAnew(state, head, aside)
  }

  /// Applies what follows a position of the file.
  private func follow(from found: CachePosition, to head: CachePosition) throws -> Made {
    let (position, entries) = try apply(behind: found, upTo: head)
    return Made(position: position, outcome: .kept(entries: entries), aside: nil)
  }

  /// Makes the cache from the newest image.
  private func makeAnew(
    _ state: LogState,
    _ head: CachePosition,
    _ aside: String?
  ) throws -> Made {
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
    try reader.finish(at: try position(of: image, head), hash: image.hash)
    let start = try EntryApplier(cache.folder).position
    let (position, entries) = try apply(behind: start, upTo: head)
    return Made(position: position, outcome: .made(entries: entries), aside: aside)
  }

  /// The place of an image in the log: its own entry is kept as long as the image is.
  private func position(of image: LogImage, _ head: CachePosition) throws -> CachePosition {
    let entry = try log.tail(of: library, after: image.number - 1).first
    guard let entry, entry.number == image.number else {
      throw StoreError(code: .corrupt, message: "the log lacks entry \(image.number)")
    }
    return CachePosition(number: entry.number, epoch: entry.epoch, hash: entry.hash)
  }

  /// Applies entries up to the head, which the last one has to be.
  private func apply(
    behind start: CachePosition,
    upTo head: CachePosition
  ) throws -> (position: CachePosition, entries: Int) {
    var position = start
    var count = 0
    if position.number < head.number {
      var applier = try EntryApplier(cache.folder)
      while position.number < head.number {
        let tail = try log.tail(of: library, after: position.number)
        guard !tail.isEmpty else { break }
        try applier.apply(tail.map(LogEntry.init), expand: Self.expand(upTo: Self.changesetLimit))
        position = applier.position
        count += tail.count
      }
    }
    guard position.number == head.number, position.hash == head.hash else {
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

extension LogEntry {
  fileprivate init(_ entry: SharedEntry) {
    self.init(
      position: CachePosition(number: entry.number, epoch: entry.epoch, hash: entry.hash),
      content: entry.changes
    )
  }
}
