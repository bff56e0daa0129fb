internal import PaletteFormats
package import PaletteJSON

/// A value that has one form in JSON.
package protocol JSONRepresentable: SendableMetatype {
  /// The form.
  static var schema: Schema { get }
  /// The value.
  var json: JSON { get }
}

extension Answer where Self: JSONRepresentable {
  /// The answer as a document.
  package var bytes: [UInt8] { json.bytes }
}

/// An answer that is an object: its keys, their meaning and their values stand in one list.
package protocol ObjectAnswer: Answer, JSONRepresentable {
  /// The name of the form in the description of the API; empty if nothing else refers to it.
  static var schemaName: String { get }
  /// The members in order.
  static var fields: [Field<Self>] { get }
}

/// A member of an object: its key, its form and how to get its value.
package struct Field<Owner>: Sendable {
  let key: String
  let schema: Schema
  /// True if the member is left out where there is no value.
  var isOptional = false
  /// The value; nil where the member is left out.
  let value: @Sendable (Owner) -> JSON?

  /// Creates a member from any value that has a form.
  package init<Value: JSONRepresentable>(
    _ key: String,
    _ meaning: String = "",
    _ value: @escaping @Sendable (Owner) -> Value
  ) {
    self.key = key
    schema = meaning.isEmpty ? Value.schema : Value.schema.meaning(meaning)
    self.value = { value($0).json }
  }

  /// Creates a member that is left out where there is no value.
  package init<Value: JSONRepresentable>(
    whereKnown key: String,
    _ meaning: String,
    _ value: @escaping @Sendable (Owner) -> Value?
  ) {
    self.key = key
    schema = Value.schema.meaning(meaning)
    isOptional = true
    self.value = { value($0)?.json }
  }

  /// Creates a member that holds one of a few words.
  package init(
    _ key: String,
    words: [String],
    _ value: @escaping @Sendable (Owner) -> String
  ) {
    self.key = key
    schema = .word(words)
    self.value = { .string(value($0)) }
  }
}

extension ObjectAnswer {
  /// Most forms have no name.
  package static var schemaName: String { "" }

  /// The form, from the members.
  package static var schema: Schema {
    let object = Schema.object(
      fields.map { (name: $0.key, schema: $0.schema) },
      optional: Set(fields.filter(\.isOptional).map(\.key))
    )
    return schemaName.isEmpty ? object : .named(schemaName, object)
  }

  /// The object, from the members.
  public var json: JSON {
    let members = Self.fields.compactMap { field in
      field.value(self).map { JSONObject.Member(field.key, $0) }
    }
    return .object(JSONObject(members))
  }
}

extension String: JSONRepresentable {
  package static var schema: Schema { .text() }
  package var json: JSON { .string(self) }
}

extension Int: JSONRepresentable {
  package static var schema: Schema { .integer }
  package var json: JSON { .integer(Int64(self)) }
}

extension Double: JSONRepresentable {
  package static var schema: Schema { .number }
  package var json: JSON { .number(self) }
}

extension Bool: JSONRepresentable {
  package static var schema: Schema { .truth }
  package var json: JSON { .bool(self) }
}

extension JSON: JSONRepresentable {
  package static var schema: Schema { .any }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  package static var schema: Schema { .null(or: Wrapped.schema) }
  package var json: JSON { self?.json ?? .null }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package static var schema: Schema { .list(Element.schema) }
  package var json: JSON { .array(map(\.json)) }
}
