import PaletteMerge

extension CBORReader {
  /// Reads bytes in place, all of them.
  static func readAll<Value>(
    of bytes: [UInt8],
    _ body: (inout CBORReader) throws(CBORError) -> Value
  ) throws(CBORError) -> Value {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CBORError) -> Value in
      var reader = CBORReader(UnsafeRawBufferPointer(bytes))
      let value = try body(&reader)
      guard reader.isAtEnd else { throw .notDeterministic }
      return value
    }
  }
}
