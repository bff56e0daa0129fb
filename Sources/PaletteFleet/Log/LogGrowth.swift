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
