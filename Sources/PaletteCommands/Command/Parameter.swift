/// A parameter of a command, as the API takes it.
package struct Parameter: Sendable {
  package let name: String
  package let schema: Schema
  /// The meaning, without a full stop.
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
    let parameter = Parameter(name, need.isList ? .list(one) : one, explanation)
    return need.isNeeded ? parameter : parameter.optional
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
  /// The schema of an argument in the API.
  var schema: Schema {
    switch self {
    case .text, .css, .palette, .color, .file, .path, .secret, .folder, .seconds, .readFormat,
      .writtenFormat, .suggestion, .member, .peer, .command:
      .text()
    case .position, .count: .integer
    case .percent: .number
    case .word(let words): .word(words)
    }
  }
}

/// Flags of which at most one, or exactly one, may be given.
package struct Choice: Sendable {
  package let flags: [String]
  package let isRequired: Bool

  package init(_ flags: [String], isRequired: Bool = false) {
    self.flags = flags
    self.isRequired = isRequired
  }
}

/// The most that an author may make; what others made beyond it is kept and shown.
enum Limit {
  /// The most colors of a palette.
  static let colors = 250_000
  /// The most palettes of a library.
  static let palettes = 100_000
  /// The most edits of one action of a view.
  static let edits = 10_000

  /// Refuses more colors than a palette may have.
  static func checkColors(_ count: Int) throws(APIError) {
    guard count > colors else { return }
    throw APIError(
      code: "too-large",
      message: "a palette has \(colors) colors at most, and this would make \(count)"
    )
  }

  /// Refuses more palettes than a library may have.
  static func checkPalettes(_ count: Int) throws(APIError) {
    guard count > palettes else { return }
    throw APIError(
      code: "too-large",
      message: "a library has \(palettes) palettes at most, and this would make \(count)"
    )
  }
}
