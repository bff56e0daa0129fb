/// A parameter of a command, as the API takes it.
package struct Parameter: Sendable {
  package let name: String
  package let schema: Schema
  /// What it means, without a full stop.
  package let summary: String
  package private(set) var isRequired = true

  init(_ name: String, _ schema: Schema, _ summary: String) {
    self.name = name
    self.schema = schema
    self.summary = summary
  }

  /// The same, but it may be left out.
  var optional: Parameter {
    var copy = self
    copy.isRequired = false
    return copy
  }

  /// The same, but it must be there.
  var required: Parameter {
    var copy = self
    copy.isRequired = true
    return copy
  }

  static let edit = Parameter(
    "edit",
    .text("a UUID"),
    "names the edit: the same one again within 7 days changes nothing, and gets the first answer "
      + "again, or {\"repeated\":true} if that had more than 64 KiB"
  ).optional
  static let seen = Parameter(
    "seen",
    .text(),
    "what the caller saw of the color, from the record: other values that were written meanwhile "
      + "stay beside the new one, as a conflict"
  ).optional
}

extension Positional {
  /// The parameter that the argument becomes.
  var parameter: Parameter {
    let one = content.schema
    let parameter = Parameter(name, need == .repeated ? .list(one) : one, explanation)
    return need == .optional ? parameter.optional : parameter
  }
}

extension Flag {
  /// The parameter that the flag becomes.
  var parameter: Parameter {
    let one = value == .none ? Schema.truth : content.schema
    return Parameter(name, isRepeatable ? .list(one) : one, explanation).optional
  }
}

extension Content {
  /// What an argument looks like in the API.
  var schema: Schema {
    switch self {
    case .text, .palette, .color, .file, .path, .secret, .folder, .seconds, .format, .suggestion,
      .command:
      .text()
    case .position, .count: .integer
    case .percent: .number
    case .word(let words): .word(words)
    }
  }
}
