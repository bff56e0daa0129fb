/// An argument that is known by its place on the command line.
struct Positional {
  /// How often a positional appears.
  enum Need {
    case once
    case optional
    case repeated
  }

  /// The name in usage lines, in capitals.
  let label: String
  /// The key under which the API gets it.
  let parameter: String
  /// What it means, without a full stop.
  let explanation: String
  let need: Need
  let content: Content

  init(
    _ label: String,
    as parameter: String? = nil,
    _ explanation: String,
    need: Need = .once,
    content: Content = .text
  ) {
    self.label = label
    self.parameter = parameter ?? label.lowercased()
    self.explanation = explanation
    self.need = need
    self.content = content
  }

  /// The form in a usage line, such as `[NAME]` or `COLOR...`.
  var usage: String {
    switch need {
    case .once: label
    case .optional: "[\(label)]"
    case .repeated: "\(label)..."
    }
  }
}

extension Positional {
  static let palette = Positional(
    "PALETTE",
    "the palette: its exact name, or 4 or more characters of its id",
    content: .palette
  )
  static let color = Positional(
    "COLOR",
    "the color: its exact name, or 4 or more characters of its id",
    content: .color
  )
  static let value = Positional(
    "VALUE",
    "a color as in CSS, or hsb(H S% B%), or hexadecimal digits"
  )
}
