internal import PaletteFormats
package import PaletteJSON

/// The schema of a parameter or a result: checked against calls, and part of the description.
package indirect enum Schema: Sendable {
  case text(String = "")
  case word([String])
  case integer
  case number
  case truth
  case null(or: Schema)
  case list(Schema)
  /// A form that the description tells once, under a name.
  case named(String, Schema)
  case either([Schema])
  /// Anything.
  case any
  /// An object with any keys.
  case map(Schema)
  /// An object with these members, of which some may be left out.
  case object([(name: String, schema: Schema)], optional: Set<String> = [])

  /// The schema in the language of JSON Schema.
  package var document: JSON {
    switch self {
    case .text(let format):
      format.isEmpty ? ["type": "string"] : ["type": "string", "description": .string(format)]
    case .word(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
    case .integer: ["type": "integer", "minimum": 0]
    case .number: ["type": "number"]
    case .truth: ["type": "boolean"]
    case .null(let other): ["oneOf": [other.document, ["type": "null"]]]
    case .list(let element): ["type": "array", "items": element.document]
    case .named(let name, _): ["$ref": .string("#/components/schemas/\(name)")]
    case .either(let choices): ["oneOf": .array(choices.map(\.document))]
    case .any: .bool(true)
    case .map(let value): ["type": "object", "additionalProperties": value.document]
    case .object(let members, let optional):
      [
        "type": "object",
        "required": .array(
          members.map(\.name).filter { !optional.contains($0) }.map { .string($0) }
        ),
        "properties": .object(
          JSONObject(members.map { JSONObject.Member($0.name, $0.schema.document) })
        ),
      ]
    }
  }

  /// Returns whether a value is of the type; what it says is the method's affair.
  func accepts(_ value: JSON) -> Bool {
    switch self {
    case .text, .word: value.stringValue != nil
    case .integer: value.integerValue != nil
    case .number: value.numberValue != nil
    case .truth: value.boolValue != nil
    case .null(let other): value.isNull || other.accepts(value)
    case .list(let element): value.arrayValue?.allSatisfy(element.accepts) ?? false
    case .either(let choices): choices.contains { $0.accepts(value) }
    case .any: true
    case .named(_, let form): form.accepts(value)
    case .map, .object: value.objectValue != nil
    }
  }

  /// The type in words.
  var noun: String {
    switch self {
    case .text, .word: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .truth: "true or false"
    case .null(let other): "\(other.noun) or null"
    case .list(let element): "a list, each element \(element.noun)"
    case .either(let choices): choices.map(\.noun).joined(separator: " or ")
    case .any: "anything"
    case .named, .map, .object: "an object"
    }
  }

  /// The same form with words about what a text in it means.
  func meaning(_ words: String) -> Schema {
    switch self {
    case .text: .text(words)
    case .null(let other): .null(or: other.meaning(words))
    case .list(let element): .list(element.meaning(words))
    case .word, .integer, .number, .truth, .named, .either, .any, .map, .object: self
    }
  }

  /// The named forms in it, each with its name.
  package var names: [(name: String, form: Schema)] {
    switch self {
    case .named(let name, let form): [(name, form)] + form.names
    case .null(let other), .list(let other), .map(let other): other.names
    case .either(let choices): choices.flatMap(\.names)
    case .object(let members, _): members.flatMap(\.schema.names)
    case .text, .word, .integer, .number, .truth, .any: []
    }
  }
}
