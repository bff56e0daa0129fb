internal import PaletteFormats

extension Document {
  /// The value of a member; `null` when there is none or this is no object.
  public subscript(key: String) -> Document { Document(value[key] ?? .null) }

  /// The keys of an object in their order; empty when this is none.
  public var keys: [String] { value.objectValue?.members.map(\.key) ?? [] }

  /// Whether this is `null`, or was not there.
  public var isNull: Bool { value.isNull }

  /// The text, if this is one.
  public var string: String? { value.stringValue }

  /// The number, if this is one.
  public var number: Double? { value.numberValue }

  /// The number, if this is one without a fraction.
  public var integer: Int? { value.integerValue.flatMap { Int(exactly: $0) } }

  /// The truth value, if this is one.
  public var bool: Bool? { value.boolValue }

  /// The elements, if this is a list.
  public var array: [Document]? { value.arrayValue?.map { Document($0) } }

  /// Whether this is an object.
  public var isObject: Bool { value.objectValue != nil }

  /// The bytes of a text in base64, if this is one.
  public var base64Bytes: [UInt8]? { value.stringValue.flatMap(Base64.decode) }
}
