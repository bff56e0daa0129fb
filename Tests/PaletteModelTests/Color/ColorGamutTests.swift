import PaletteModel
import Testing

struct ColorGamutTests {
  @Test(arguments: [
    ("color(display-p3 1 0 0)", "rgb(100% 4.457% 4.5932%)"),
    ("color(display-p3 0 1 0)", "rgb(0% 98.576% 15.974%)"),
    ("color(display-p3 0 0 1)", "rgb(0% 0% 100%)"),
    ("color(display-p3 1 1 0)", "rgb(99.623% 99.901% 0%)"),
    ("color(display-p3 0 1 1)", "rgb(0% 99.645% 98.471%)"),
    ("color(display-p3 1 0 1)", "rgb(100% 16.736% 98.264%)"),
    ("color(display-p3 2 0 1)", "white"),
    ("color(display-p3 -1 0 0)", "black"),
    ("lab(100 120 -120)", "white"),
    ("color(srgb-linear -1 -1 -1)", "black"),
  ])
  func mapsAsCSSDoes(source: String, expected: String) throws {
    let mapped = try Color(css: source).gamutMapped
    #expect(mapped.isClose(to: try Color(css: expected), tolerance: 1e-5), "\(mapped)")
  }

  @Test(arguments: [
    ("color(display-p3 1 0 0)", "#ff0b0c"), ("color(display-p3 0 1 0)", "#00fb29"),
    ("color(display-p3 0.92 0.2 0.14)", "#ff0001"), ("oklch(0.9 0.4 150)", "#41ff87"),
    ("oklch(0.5 0.3 280)", "#5806ff"), ("oklch(72.3% 0.219 149.579)", "#00c950"),
    ("lab(50 40 59.5)", "#bf5700"),
  ])
  func mapsBeforeItRounds(source: String, hex: String) throws {
    let color = try Color(css: source)
    #expect(!color.isInGamut)
    #expect(color.hex == hex)
  }

  @Test func allowsForRounding() throws {
    #expect(try Color(css: "oklch(62.8% 0.25768 29.234)").isInGamut)
    #expect(Color(.srgb, 1.000_07, -0.000_07, 0).isInGamut)
    #expect(!Color(.srgb, 1.000_08, 0, 0).isInGamut)
    #expect(!Color(.hsl, 0, 101, 50).isInGamut)
    #expect(!Color(.srgb, .nan, 0, 0).isInGamut)
  }

  @Test func keepsWhatIsInside() {
    let color = Color(.hsl, 120, 50, 50, alpha: 0.5)
    #expect(color.gamutMapped == color)
    #expect(color.rgb.green.rounded() == 191)
  }

  @Test func keepsAlpha() {
    #expect(Color(.displayP3, 1, 0, 0, alpha: 0.5).gamutMapped.alpha == 0.5)
    #expect(Color(.displayP3, 1, 0, 0, alpha: nil).gamutMapped.alpha == nil)
  }

  @Test(arguments: [ColorSpace.oklch, .lch, .rec2020, .prophotoRGB, .xyzD65])
  func endsInsideNearTheSameHue(space: ColorSpace) throws {
    var samples = ColorSamples(seed: 0x6A + UInt64(space.rawValue))
    for _ in 0..<200 {
      let color = samples.color(in: space)
      let mapped = color.gamutMapped
      #expect(mapped.isInGamut, "\(color)")
      let (before, after) = (color.converted(to: .oklch), mapped.converted(to: .oklch))
      guard !color.isInGamut, let lightness = before.first, (0...1).contains(lightness) else {
        continue
      }
      #expect(abs((after.first ?? 9) - lightness) < 0.021, "\(color)")
      #expect((after.second ?? 9) < (before.second ?? 0) + 0.021, "\(color)")
    }
  }
}
