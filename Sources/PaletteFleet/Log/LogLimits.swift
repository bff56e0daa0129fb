/// The sizes at which a hub treats a library's log otherwise.
package struct LogLimits: Hashable, Sendable {
  /// The growth of a log below which no new image is made, however small the last one is.
  package var leastGrowth: Int64 = 4 << 20
  /// The longest content of an entry; a longer one would hold up every other library, so it is a jump.
  package var longestContent = 8 << 20

  /// The limits of a fleet.
  package init() {}
}
