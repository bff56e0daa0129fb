package import PaletteJSON
package import PaletteMerge
internal import PaletteModel

/// The arguments of a request, checked as they are taken out.
package struct Parameters {
  private let document: JSON

  package init(_ document: JSON) {
    self.document = document
  }

  /// An argument that must be there and be a text.
  func text(_ key: String) throws(APIError) -> String {
    guard let text = try optionalText(key) else {
      throw APIError.missing(key)
    }
    return text
  }

  /// An argument that is a text if it is there.
  func optionalText(_ key: String) throws(APIError) -> String? {
    guard !document[key].isNull else { return nil }
    guard let text = document[key].stringValue else {
      throw APIError(code: "bad-usage", message: "the argument '\(key)' must be a text")
    }
    return text
  }

  /// Returns whether an argument is there.
  func isGiven(_ key: String) -> Bool { !document[key].isNull }

  /// Returns whether an argument is there and not false.
  func isSet(_ key: String) -> Bool { isGiven(key) && document[key].boolValue != false }

  /// An argument that must be there and be a list.
  func documents(_ key: String) throws(APIError) -> [JSON] {
    guard let elements = document[key].arrayValue else {
      throw APIError.missing(key)
    }
    return elements
  }

  /// An argument that must be there and be a list of texts, at least one.
  func texts(_ key: String) throws(APIError) -> [String] {
    guard let elements = document[key].arrayValue, !elements.isEmpty else {
      throw APIError.missing(key)
    }
    let texts = elements.compactMap(\.stringValue)
    guard texts.count == elements.count else {
      throw APIError(code: "bad-usage", message: "the argument '\(key)' must hold texts")
    }
    return texts
  }

  /// An argument that is a list of texts if it is there.
  func optionalTexts(_ key: String) throws(APIError) -> [String]? {
    document[key].isNull ? nil : try texts(key)
  }

  /// An argument that is a position if it is there.
  func optionalIndex(_ key: String) throws(APIError) -> Int? {
    guard !document[key].isNull else { return nil }
    guard let index = document[key].intValue else {
      throw APIError(
        code: "bad-position",
        message: "the argument '\(key)' must be a whole number",
        hint: "positions count from 0"
      )
    }
    return index
  }

  /// An argument that is a number of things if it is there.
  func optionalCount(_ key: String) throws(APIError) -> Int? {
    guard !document[key].isNull else { return nil }
    guard let count = document[key].intValue, count >= 0 else {
      throw APIError(
        code: "bad-value",
        message: "the argument '\(key)' must be a whole number, 0 or more"
      )
    }
    return count
  }

  /// An argument that is a finite number if it is there.
  func optionalNumber(_ key: String) throws(APIError) -> Double? {
    guard !document[key].isNull else { return nil }
    guard let number = document[key].numberValue, number.isFinite else {
      throw APIError(code: "bad-value", message: "the argument '\(key)' must be a number")
    }
    return number
  }

  /// An argument that is a list of texts; nil where it is one text.
  func textOrTexts(_ key: String) throws(APIError) -> [String]? {
    document[key].stringValue == nil ? try texts(key) : nil
  }

  /// An argument that must be there and be a color.
  func color(_ key: String) throws(APIError) -> Color {
    try Color(argument: try text(key))
  }

  /// An argument that must be there and be the name of a palette or a color, as it is to be kept.
  package func name(_ key: String) throws(APIError) -> String {
    let text = try text(key)
    do {
      return try TextRule.name.accepted(text)
    } catch {
      throw APIError(code: "bad-name", message: "the name \(error)")
    }
  }

  /// An argument that is a name if it is there, as it is to be kept.
  func optionalName(_ key: String) throws(APIError) -> String? {
    document[key].isNull ? nil : try name(key)
  }

  /// An argument that must be there and be a note, as it is to be kept.
  func note(_ key: String) throws(APIError) -> String {
    let text = try text(key)
    do {
      return try TextRule.note.accepted(text)
    } catch {
      throw APIError(code: "bad-value", message: "the note \(error)")
    }
  }

  /// An argument that is a note if it is there, as it is to be kept.
  func optionalNote(_ key: String) throws(APIError) -> String? {
    document[key].isNull ? nil : try note(key)
  }

  /// An argument that is bytes in base64 if it is there.
  func bytes(_ key: String) throws(APIError) -> [UInt8]? {
    guard let text = try optionalText(key) else { return nil }
    if let bytes = JSON.string(text).base64Bytes { return bytes }
    throw APIError(code: "bad-value", message: "the argument '\(key)' must be base64")
  }

  /// An argument that is a whole id if it is there.
  func optionalID(_ key: String) throws(APIError) -> RecordID? {
    guard let text = try optionalText(key) else { return nil }
    if let id = RecordID(text) { return id }
    throw APIError(code: "bad-value", message: "the argument '\(key)' must be a UUID")
  }

  /// An argument that names a change if it is there.
  func optionalDot(_ key: String) throws(APIError) -> Dot? {
    guard let text = try optionalText(key) else { return nil }
    if let dot = Dot(text) { return dot }
    throw APIError(
      code: "bad-value",
      message: "the argument '\(key)' must be a dot",
      hint: "take it from 'dot' of a change in 'hued history --json'"
    )
  }

  /// An argument that says what was seen of records if it is there: a text, or one for each.
  func optionalSeen(_ key: String) throws(APIError) -> [SeenValues]? {
    guard !document[key].isNull else { return nil }
    let texts = document[key].arrayValue ?? [document[key] ?? .null]
    return try texts.map { text throws(APIError) in
      guard let seen = text.stringValue.flatMap(SeenValues.init) else { throw .badSeen }
      return seen
    }
  }

  /// An argument that is a moment if it is there: ISO 8601, or an age.
  package func optionalMoment(_ key: String, now: Moment) throws(APIError) -> Moment? {
    guard let text = try optionalText(key) else { return nil }
    if let moment = Moment(spoken: text, now: now) { return moment }
    throw APIError(
      code: "bad-time",
      message: "'\(text)' is not a time",
      hint: "write ISO 8601, such as \(now), or an age, such as '10 minutes ago'"
    )
  }
}

extension APIError {
  /// The refusal of a call without an argument that it needs.
  static func missing(_ key: String) -> APIError {
    APIError(code: "bad-usage", message: "the argument '\(key)' is missing")
  }
}
