extension JSONWriter {
  /// Writes a value that has been built already.
  public mutating func value(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members { self.member(member.key, member.value) }
      endObject()
    }
  }

  /// Writes a key with a value that has been built already.
  public mutating func member(_ key: String, _ value: JSON) {
    self.key(key)
    self.value(value)
  }

  /// Writes a key with a text, or with `null`.
  public mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  /// Writes a key with an integer, or with `null`.
  public mutating func member(_ key: String, _ value: Int?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  /// Writes a key with a truth value.
  public mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  /// Writes a key with a list of texts.
  public mutating func member(_ key: String, _ values: [String]) {
    self.key(key)
    beginArray()
    for value in values { string(value) }
    endArray()
  }
}
