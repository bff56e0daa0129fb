package import PaletteJSON

/// An answer of a form, or a part of one, as it came: from the library here, or from a node of another version.
///
/// How its members are read stands in an extension beside the fields of the form, so that nobody else knows
/// their keys. A member that is not there, or is of another kind than here, is nil, empty or false; members
/// that only a newer version knows are passed over.
package struct Received<Form>: Equatable {
  /// The document, for those who show every member of it, or pass it on.
  package let json: JSON

  /// Takes over a document; nil is an answer without members.
  package init(_ json: JSON?) {
    self.json = json ?? .null
  }

  /// The same with another value of a member.
  func with(_ key: String, _ value: String) -> Self {
    var members = json.objectValue ?? JSONObject()
    members[key] = .string(value)
    return Self(.object(members))
  }

  func has(_ key: String) -> Bool { !json[key].isNull }
  func text(_ key: String) -> String { json[key].stringValue ?? "" }
  func optionalText(_ key: String) -> String? { json[key].stringValue }
  func integer(_ key: String) -> Int? { json[key].intValue }
  func number(_ key: String) -> Double? { json[key].numberValue }
  func isSet(_ key: String) -> Bool { json[key].boolValue == true }
  func isFalse(_ key: String) -> Bool { json[key].boolValue == false }
  func word<Known>(_ key: String) -> Word<Known> { Word(text: text(key)) }
  func part<Part>(_ key: String) -> Received<Part> { Received<Part>(json[key]) }

  func texts(_ key: String) -> [String] {
    (json[key].arrayValue ?? []).compactMap(\.stringValue)
  }

  func parts<Part>(_ key: String) -> [Received<Part>] {
    (json[key].arrayValue ?? []).map { Received<Part>($0) }
  }
}

/// A word of those that this version knows, or another one.
package struct Word<Known: RawRepresentable<String>> {
  /// The word as it came; empty where there is none.
  package let text: String

  /// The meaning, where it is known.
  package var known: Known? { Known(rawValue: text) }
}
