import PaletteCommands

/// The three standard streams.
protocol Console {
  /// Writes to the standard output.
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// Writes to the standard error; that it fails cannot be told to anybody.
  func note(_ text: String)
  /// Reads an answer from the standard input; nil at its end.
  func readLine() -> String?
  /// Reads the whole standard input, at most so many bytes.
  func readAll(limit: Int) throws(APIError) -> [UInt8]
}
