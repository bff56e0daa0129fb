/// The growth of a library's log since its image, which says when a new image is worth its bytes.
package struct LogGrowth: Hashable, Sendable {
  /// The bytes of the entries behind the image.
  package var behind: Int64
  /// The bytes of the image.
  package var image: Int64

  /// Describes a log.
  package init(behind: Int64, image: Int64) {
    self.behind = behind
    self.image = image
  }

  /// Returns whether whoever makes a cache reads so much more from entries than from the image that a new one
  /// is worth its bytes.
  package func isDue(_ limits: LogLimits) -> Bool { behind > max(image, limits.leastGrowth) }
}

/// The sizes at which a hub treats a library's log otherwise.
package struct LogLimits: Hashable, Sendable {
  /// The growth of a log below which no new image is made, however small the last one is.
  package var leastGrowth: Int64 = 4 << 20
  /// The longest content of an entry; a longer one would hold up every other library, so it is a jump.
  package var longestContent = 8 << 20

  /// The limits of a fleet.
  package init() {}
}
