/// An argument that is known by its name, such as `--at N`.
struct Flag {
  /// Whether something follows the name.
  enum Value: Equatable {
    case none
    case required(String)
    /// May follow; recognised by one positional too many.
    case optional(String)
  }

  /// The name without its two hyphens, also the key under which the API gets it.
  let name: String
  let value: Value
  /// What it does, without a full stop.
  let explanation: String
  let content: Content
  /// Whether it may be given several times; its value is a list then.
  var isRepeatable = false

  /// The same flag, but it may be given several times.
  var repeatable: Flag {
    var copy = self
    copy.isRepeatable = true
    return copy
  }

  init(_ name: String, _ label: String? = nil, _ explanation: String, content: Content = .text) {
    self.init(name, value: label.map(Value.required) ?? .none, explanation, content: content)
  }

  init(_ name: String, value: Value, _ explanation: String, content: Content) {
    self.name = name
    self.value = value
    self.explanation = explanation
    self.content = content
  }

  /// The form in a usage line, such as `--at N`.
  var usage: String {
    switch value {
    case .none: "--\(name)"
    case .required(let label): "--\(name) \(label)"
    case .optional(let label): "--\(name) [\(label)]"
    }
  }
}
