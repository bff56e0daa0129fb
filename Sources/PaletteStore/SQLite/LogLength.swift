/// How long a write-ahead log is.
struct LogLength {
  /// The bytes of a page in the log, with what stands before it.
  var frameBytes = 0
  /// How many of them the last commit left in the log.
  var frames = 0

  /// What a log has in bytes, but for its first 32.
  var bytes: Int { frames * frameBytes }

  /// The frame of a page.
  static func frameBytes(ofPage pageBytes: Int) -> Int { pageBytes + 24 }
}
