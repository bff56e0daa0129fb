internal import PaletteJSON
internal import PaletteModel

/// A key of the configuration with the values that it takes.
enum Setting: String, CaseIterable {
  /// The choice of when colors are shown as swatches.
  case color
  /// After how many seconds a command gives up.
  case timeout
  /// The name that others see beside edits made here.
  case name

  /// The value where none is set.
  var defaultValue: JSON {
    switch self {
    case .color: "auto"
    case .timeout: nil
    case .name: .string(OwnName.system)
    }
  }

  /// The possible values, as the end of a sentence.
  private var values: String {
    switch self {
    case .color: "auto, always or never"
    case .timeout: "a number of seconds, or none"
    case .name: "a line of text, at most 1 KiB"
    }
  }

  /// Finds the setting with a key.
  init(key: String) throws(APIError) {
    if let setting = Self(rawValue: key) {
      self = setting
      return
    }
    let keys = Self.allCases.map(\.rawValue)
    throw APIError(
      code: "not-found",
      message: "there is no setting '\(key)'",
      hint: Spelling.nearest(to: key, among: keys).map { "did you mean '\($0)'?" }
        ?? "the settings are \(keys.joined(separator: ", "))"
    )
  }

  /// The value that a text on the command line means.
  func value(of text: String) throws(APIError) -> JSON {
    let text = text.trimmed
    if self == .timeout {
      if text == "none" { return .null }
      if let seconds = Double(text), seconds.isFinite { return try checked(.number(seconds)) }
    }
    return try checked(.string(text))
  }

  /// The value itself, if the setting takes it.
  func checked(_ value: JSON) throws(APIError) -> JSON {
    let isFine =
      switch self {
      case .color: ["auto", "always", "never"].contains(value)
      case .timeout: value.isNull || (value.numberValue ?? 0) > 0
      case .name: value.stringValue.map { (try? TextRule.name.accepted($0)) == $0 } ?? false
      }
    guard isFine else {
      throw APIError(
        code: "bad-value",
        message: "\(value) is no value of '\(rawValue)'",
        hint: "it is \(values)"
      )
    }
    return value
  }
}
