internal import PaletteFormats
internal import PaletteModel

/// Colors that were computed.
package struct ColorsAnswer: ObjectAnswer {
  /// A color that was computed.
  package struct Entry: ObjectAnswer {
    let color: Color
    /// The name of the color that it came from.
    var name: String?
    /// Its share of the image, from 0 to 1.
    var share: Double?

    init(_ color: Color, name: String? = nil, share: Double? = nil) {
      self.color = color.forReading
      self.name = name
      self.share = share
    }

    package static let schemaName = "ComputedColor"
    package static let fields: [Field<Self>] = [
      Field("color", "CSS") { $0.color.css }, Field("hex", "#rrggbb or #rrggbbaa") { $0.color.hex },
      Field(whereKnown: "name", "of the color that it came from") { $0.name },
      Field(whereKnown: "share", "how much of the image it stands for, from 0 to 1") { $0.share },
    ]
  }

  let colors: [Entry]

  init(_ colors: [Entry]) {
    self.colors = colors
  }

  package static let schemaName = "ComputedColors"
  package static let fields: [Field<Self>] = [Field("colors") { $0.colors }]
}

extension Color {
  /// The color without the digits that only computing made; what has whole bytes stays as it is.
  fileprivate var forReading: Color {
    guard bytes8 == nil else { return self }
    var color = self
    color.components = components.map { $0.map { ($0 * 1e6).rounded() / 1e6 + 0 } }
    return color
  }
}

extension Received where Form == ColorsAnswer {
  package var colors: [Received<ColorsAnswer.Entry>] { parts("colors") }
}

extension Received where Form == ColorsAnswer.Entry {
  package var color: String { text("color") }
  package var hex: String { text("hex") }
  package var name: String? { optionalText("name") }
  package var share: Double? { number("share") }

  /// The same with the name of the color that it came from, where that has one.
  package func named(_ name: String?) -> Self { name.map { with("name", $0) } ?? self }
}
