extension JSON {
  /// Reads one JSON document in UTF-8, strictly as RFC 8259 has it.
  ///
  /// Refused beyond its grammar: a byte order mark, more than 128 levels, half a surrogate pair, and
  /// a number too large for 64-bit floating point.
  public init(parsing bytes: [UInt8]) throws(JSONParseError) {
    var parser = JSONParser(bytes)
    self = try parser.whole()
  }

  /// Reads one JSON document.
  public init(parsing text: String) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8))
  }
}
