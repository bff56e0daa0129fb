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
  /// What it does, without a full stop.
  package let explanation: String
  package let content: Content
  /// Whether it may be given several times; its value is a list then.
  package var isRepeatable = false

  /// The same flag, but it may be given several times.
  package var repeatable: Flag {
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
