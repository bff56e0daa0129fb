internal import PaletteFormats
internal import PaletteModel

/// Colors that were computed.
struct ColorsAnswer: ObjectAnswer {
  /// A color that was computed.
  struct Entry: ObjectAnswer {
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

    static let schemaName = "ComputedColor"
    static let fields: [Field<Self>] = [
      Field("color", "CSS") { $0.color.css }, Field("hex", "#rrggbb or #rrggbbaa") { $0.color.hex },
      Field(whereKnown: "name", "of the color that it came from") { $0.name },
      Field(whereKnown: "share", "how much of the image it stands for, from 0 to 1") { $0.share },
    ]
  }

  let colors: [Entry]

  init(_ colors: [Entry]) {
    self.colors = colors
  }

  static let schemaName = "ComputedColors"
  static let fields: [Field<Self>] = [Field("colors") { $0.colors }]
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
