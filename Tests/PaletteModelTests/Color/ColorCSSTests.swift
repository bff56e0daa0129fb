import Foundation
import PaletteModel
import Testing

struct ColorCSSTests {
  @Test(arguments: ColorParsingTable.valid.split(separator: "\n"))
  func reads(row: Substring) throws {
    let (text, expected) = try #require(split(row))
    let color = try Color(css: text)
    #expect(color.css == expected)
    #expect(try Color(css: "  \(text)\n") == color)
    #expect(try Color(css: color.css) == color)
  }

  @Test(arguments: ColorParsingTable.invalid.split(separator: "\n"))
  func refuses(row: Substring) throws {
    let (text, message) = try #require(split(row))
    let error = #expect(throws: ColorParseError.self) { try Color(css: text) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    #expect(error?.hint.isEmpty == false)
  }

  @Test func keepsMessagesShortAndPlain() {
    let text = "\u{1B}[31m" + String(repeating: "x", count: 100_000)
    let error = #expect(throws: ColorParseError.self) { try Color(css: text) }
    #expect((error?.description.utf8.count ?? 999) < 250)
    #expect(error?.description.utf8.contains(0x1B) == false)
  }

  @Test(arguments: ColorSpace.allCases)
  func printsWhatItReads(space: ColorSpace) throws {
    var samples = ColorSamples(seed: 0xC55 + UInt64(space.rawValue))
    for index in 0..<300 {
      var color = samples.color(in: space)
      if index % 7 == 1 { color.first = nil }
      if index % 7 == 2 { color.second = nil }
      if index % 7 == 3 { color.third = nil }
      if index % 7 == 4 { color.alpha = nil }
      if index % 7 == 5 { color.alpha = 1 }
      if index % 7 == 6 { color.second = (color.second ?? 0) * 1e-7 }
      #expect(try Color(css: color.css) == color, "\(color.components)")
    }
  }

  @Test func printsEveryByteAsLegacyColor() throws {
    for byte in UInt8.min...UInt8.max {
      let color = Color(red8: byte, green8: 255 - byte, blue8: 7)
      #expect(color.css == "rgb(\(byte), \(255 - byte), 7)")
      #expect(try Color(css: color.css) == color)
      let percent = try Color(css: "rgb(\(Double(byte) / 2.55)% 0% 0%)")
      #expect(percent.hex == Color(red8: byte, green8: 0, blue8: 0).hex)
    }
  }

  @Test func survivesAnyBytes() {
    var samples = ColorSamples(seed: 0xF22)
    let pieces = [
      "rgb(", "color(", "srgb", "#", "f", " ", ",", "/", "%", "1", "e", "-", ".", ")",
      "none", "hsl(", "deg", "/*", "*/", "\\", "\u{0}", "é", "from", "1e308",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...12, using: &samples)
      let text = (0..<count).map { _ in pieces.randomElement(using: &samples) ?? "" }.joined()
      guard let color = try? Color(css: text) else { continue }
      #expect(color.isFinite)
      #expect((try? Color(css: color.css)) == color, "\(text)")
      #expect(Color(hex: color.hex.dropFirst()) != nil)
    }
  }

  private func split(_ row: Substring) -> (String, String)? {
    guard let arrow = row.range(of: "-> ", options: .backwards) else { return nil }
    var text = row[..<arrow.lowerBound]
    if text.last == " " { text.removeLast() }
    return (String(text), String(row[arrow.upperBound...]))
  }
}
