internal import PaletteModel

extension Color {
  /// The most bytes that a color takes in a file; longer texts are not looked at.
  static let textLimit = 512

  /// A color of a file as CSS, nil where the text is none.
  init?(fileText text: String) {
    guard text.utf8.count <= Self.textLimit, let color = try? Color(css: text) else { return nil }
    self = color
  }

  /// The color as every browser reads it: hexadecimal where that is exact, never a notation of ours.
  var stylesheetText: String {
    if bytes8 != nil { return hex }
    return space == .hsb ? converted(to: .srgb).css : css
  }

  /// A color as people write it in tables: CSS, bare hexadecimal digits, or three or four numbers from
  /// 0 to 255.
  init?(loose text: String) {
    guard text.utf8.count <= Self.textLimit else { return nil }
    let text = text.filter { $0 != "\"" }.trimmed
    if let color = Color(fileText: text) ?? Color(hex: text) {
      self = color
      return
    }
    let words = text.split { $0 == " " || $0 == "," || $0 == ";" || $0 == "\t" }
    let values = words.compactMap { UInt8($0) }
    guard values.count == words.count, (3...4).contains(values.count) else { return nil }
    self.init(
      red8: values[0],
      green8: values[1],
      blue8: values[2],
      alpha8: values.count == 4 ? values[3] : 255
    )
  }
}
