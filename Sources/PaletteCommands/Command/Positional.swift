/// An argument that is known by its place on the command line.
package struct Positional: Sendable {
  /// How often a positional appears.
  package enum Need: Sendable {
    case once
    case optional
    case repeated
  }

  /// The name in usage lines, in capitals.
  package let label: String
  /// The key under which the API gets it.
  package let name: String
  /// What it means, without a full stop.
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
    }
  }
}

extension Positional {
  package static let palette = Positional(
    "PALETTE",
    "the palette: its exact name, or 4 or more characters of its id",
    content: .palette
  )
  package static let color = Positional(
    "COLOR",
    "the color: its exact name, or 4 or more characters of its id",
    content: .color
  )
  package static let value = Positional(
    "VALUE",
    "a color as in CSS, or hsb(H S% B%), or hexadecimal digits"
  )
}
