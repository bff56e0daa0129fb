/// The value of one register, exactly as it is encoded in changes.
///
/// The encoding of a value is unique, so two values are equal exactly when their bytes are.
public struct RegisterValue: Hashable, Sendable {
  /// One deterministic CBOR item.
  public let encoded: [UInt8]

  package init(encoded: [UInt8]) {
    self.encoded = encoded
  }

  /// The value of a name or note register.
  public init(text: String) {
    var writer = CBORWriter(reservingCapacity: text.utf8.count + 3)
    writer.write(text: text)
    encoded = writer.bytes
  }

  /// The value of a place register, from the bytes of a place.
  public init(placeBytes: some Collection<UInt8>) {
    var writer = CBORWriter(reservingCapacity: placeBytes.count + 3)
    writer.write(bytes: placeBytes)
    encoded = writer.bytes
  }

  /// The value of a color register.
  public init(color: Color) {
    var writer = CBORWriter(reservingCapacity: 5)
    writer.write(color)
    encoded = writer.bytes
  }

  /// The text of a name or note; nil when the value is no text.
  public var text: String? {
    encoded.withUnsafeBytes { buffer in
      var reader = CBORReader(buffer)
      return try? reader.readText()
    }
  }

  /// The bytes of a place; nil when the value is no byte string.
  public var placeBytes: [UInt8]? {
    encoded.withUnsafeBytes { buffer in
      var reader = CBORReader(buffer)
      return (try? reader.readBytes()).map { [UInt8]($0) }
    }
  }

  /// The color; nil when the value is none.
  public var color: Color? {
    encoded.withUnsafeBytes { buffer in
      var reader = CBORReader(buffer)
      return try? reader.readColor()
    }
  }
}
