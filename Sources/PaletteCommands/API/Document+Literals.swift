internal import PaletteFormats

extension Document: ExpressibleByNilLiteral {
  /// Creates the value `null`.
  public init(nilLiteral: ()) { value = .null }
}

extension Document: ExpressibleByBooleanLiteral {
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Document: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension Document: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Document: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a text.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Document: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: Document...) { self.init(elements) }
}

extension Document: ExpressibleByDictionaryLiteral {
  /// Creates an object, in the order of the literal.
  public init(dictionaryLiteral elements: (String, Document)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
