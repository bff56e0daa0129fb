extension JSON {
  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The truth value, if this is one.
  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The number as an integer, if this is a number without a fraction that fits.
  public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The number, if this is one.
  public var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The text, if this is one.
  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, if this is a list.
  public var arrayValue: [JSON]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The members, if this is an object.
  public var objectValue: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  /// The value of a member; nil when there is none or this is no object.
  public subscript(key: String) -> JSON? { objectValue?[key] }

  /// An element; nil beyond the end or when this is no list.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The value as the bytes of a JSON document without spaces.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}
