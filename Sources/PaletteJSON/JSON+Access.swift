extension JSON {
  /// True if this is `null`.
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

  /// The number as an integer of this machine, if it fits.
  public var intValue: Int? { integerValue.flatMap { Int(exactly: $0) } }

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

  /// True if this is an object.
  public var isObject: Bool { objectValue != nil }

  /// The keys of an object in their order; none where this is no object.
  public var keys: [String] { objectValue?.members.map(\.key) ?? [] }

  /// The bytes of a text in base64, if this is one.
  public var base64Bytes: [UInt8]? { stringValue.flatMap(Base64.decode) }

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

/// Looking into what is not there finds nothing, so that a deep value is read in one expression.
extension Optional where Wrapped == JSON {
  /// True if there is no value, or `null`.
  public var isNull: Bool { self?.isNull ?? true }

  /// The truth value, if this is one.
  public var boolValue: Bool? { self?.boolValue }

  /// The number as an integer, if this is one that fits.
  public var intValue: Int? { self?.intValue }

  /// The number, if this is one.
  public var numberValue: Double? { self?.numberValue }

  /// The text, if this is one.
  public var stringValue: String? { self?.stringValue }

  /// The elements, if this is a list.
  public var arrayValue: [JSON]? { self?.arrayValue }

  /// The keys of an object in their order; none where this is no object.
  public var keys: [String] { self?.keys ?? [] }

  /// The bytes of a text in base64, if this is one.
  public var base64Bytes: [UInt8]? { self?.base64Bytes }

  /// True if this is an object.
  public var isObject: Bool { self?.isObject ?? false }

  /// The value of a member, if this is an object that has it.
  public subscript(key: String) -> JSON? { self?[key] }

  /// An element, if this is a list that has it.
  public subscript(index: Int) -> JSON? { self?[index] }
}
