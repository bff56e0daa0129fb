internal import PaletteJSON
internal import PaletteModel

/// Writes a color as the value of a design token.
enum TokenNotation {
  /// A value that holds a color, on one line.
  static func text(of color: Color) -> String {
    var old = "{ \"colorSpace\": \"srgb\", \"components\": [0, 0, 0]"
    if color.alpha != 1 { old += ", \"alpha\": 1" }
    return text(of: color, like: old + ", \"hex\": \"#000000\" }")
  }

  /// A value like `old` that holds another color: its keys, its spaces and all else in it stay.
  static func text(of color: Color, like old: String) -> String {
    let text = Array(old.utf8)
    let outline = JSONOutline(of: text)
    let color = color.space == .hsb ? color.converted(to: .srgb) : color
    let alpha = color.alpha.map { JSON($0).text } ?? "\"none\""
    var changes: [(range: Range<Int>, text: String)] = []
    func change(_ key: String, _ new: String) {
      if let value = outline.value(of: key, in: text) { changes.append((value.range, new)) }
    }
    let bytes = color.shownBytes
    for (key, byte) in zip(["r", "g", "b"], [bytes.red, bytes.green, bytes.blue]) {
      change(key, String(byte))
    }
    change("a", alpha)
    change("colorSpace", JSON(color.space.cssName).text)
    change("hex", JSON(color.opaque.hex).text)
    if let list = outline.value(of: "components", in: text) {
      let comma = old.contains(", ") || list.elements.count != 3 ? ", " : ","
      let parts = color.components.map { $0.map { JSON($0).text } ?? "\"none\"" }
      if list.elements.count == 3 {
        for (element, part) in zip(list.elements, parts) { changes.append((element.range, part)) }
      } else {
        changes.append((list.range, "[" + parts.joined(separator: comma) + "]"))
      }
      if let old = outline.value(of: "alpha", in: text) {
        changes.append((old.range, alpha))
      } else if color.alpha != 1 {
        let end = list.range.upperBound
        changes.append((end..<end, "\(comma)\"alpha\": \(alpha)"))
      }
    }
    var result: [UInt8] = []
    var cursor = 0
    for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += text[cursor..<change.range.lowerBound] + Array(change.text.utf8)
      cursor = change.range.upperBound
    }
    return String(decoding: result + text[cursor...], as: UTF8.self)
  }
}
