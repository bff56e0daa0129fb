/// An argument that is known by its name, such as `--at N`.
package struct Flag: Sendable {
  /// Whether something follows the name.
  package enum Value: Equatable, Sendable {
    case none
    case required(String)
    /// May follow; recognised by one positional too many.
    case optional(String)
  }

  /// The name without its two hyphens, also the key under which the API gets it.
  package let name: String
  package let value: Value
  /// The effect, without a full stop.
  package let explanation: String
  package let content: Content
  /// True if it may be given several times; its value is a list then.
  package var isRepeatable = false

  /// The same flag, but it may be given several times.
  var repeatable: Flag {
    var copy = self
    copy.isRepeatable = true
    return copy
  }

  package init(
    _ name: String,
    _ label: String? = nil,
    _ explanation: String,
    content: Content = .text
  ) {
    self.init(name, value: label.map(Value.required) ?? .none, explanation, content: content)
  }

  package init(_ name: String, value: Value, _ explanation: String, content: Content) {
    self.name = name
    self.value = value
    self.explanation = explanation
    self.content = content
  }

  static func at(_ range: String) -> Flag {
    Flag("at", "N", "put it at this position, \(range)", content: .position)
  }

  static let before = Flag("before", "COLOR", "put it before this color", content: .color)
  static let after = Flag("after", "COLOR", "put it behind this color", content: .color)

  /// The form in a usage line, such as `--at N`.
  package var usage: String {
    switch value {
    case .none: "--\(name)"
    case .required(let label): "--\(name) \(label)"
    case .optional(let label): "--\(name) [\(label)]"
    }
  }
}

/// An argument that is known by its place on the command line.
package struct Positional: Sendable {
  /// The number of times that a positional may appear.
  package enum Need: Sendable {
    case once
    case optional
    /// Once or more.
    case repeated
    /// As often as one likes, or not at all.
    case any

    /// True if one must be there.
    package var isNeeded: Bool { self == .once || self == .repeated }
    /// True if there may be several.
    package var isList: Bool { self == .repeated || self == .any }
  }

  /// The name in usage lines, in capitals.
  package let label: String
  /// The key under which the API gets it.
  package let name: String
  /// The meaning, without a full stop.
  package let explanation: String
  package let need: Need
  package let content: Content

  package init(
    _ label: String,
    as name: String? = nil,
    _ explanation: String,
    need: Need = .once,
    content: Content = .text
  ) {
    self.label = label
    self.name = name ?? label.lowercased()
    self.explanation = explanation
    self.need = need
    self.content = content
  }

  /// The form in a usage line, such as `[NAME]` or `COLOR...`.
  package var usage: String {
    switch need {
    case .once: label
    case .optional: "[\(label)]"
    case .repeated: "\(label)..."
    case .any: "[\(label)...]"
    }
  }

  package static let palette = Positional(
    "PALETTE",
    "the palette: its exact name, or 4 or more characters of its id",
    content: .palette
  )
  package static let onlyPalette = Positional(
    "PALETTE",
    "only this palette: its exact name, or 4 or more characters of its id",
    need: .optional,
    content: .palette
  )
  package static let color = Positional(
    "COLOR",
    "the color: its exact name, or 4 or more characters of its id",
    content: .color
  )
  package static let value = Positional(
    "VALUE",
    "a color as in CSS, or hsb(H S% B%), or hexadecimal digits",
    content: .css
  )
}
