import PaletteModel
import Testing

struct ColorHexTests {
  @Test(arguments: [
    ("f06", "#ff0066"), ("f068", "#ff006688"), ("FF8800", "#ff8800"), ("01020304", "#01020304"),
    ("ffffffff", "#ffffff"), ("0000", "#00000000"),
  ])
  func readsDigits(digits: String, hex: String) {
    #expect(Color(hex: digits)?.hex == hex)
  }

  @Test(arguments: ["", "f", "ff", "fffff", "fffffff", "fffffffff", "#ff8800", "ff880g", "+f8800"])
  func refusesOtherDigits(digits: String) {
    #expect(Color(hex: digits) == nil)
  }

  @Test(arguments: [
    (Color(.srgb, 0.5, 0.25, 0.75), "#8040bf"),
    (Color(.srgb, 0.998, 0.0019, 0.002), "#fe0001"),
    (Color(.srgb, nil, 1, nil), "#00ff00"),
    (Color(.srgb, 1, 0, 0, alpha: nil), "#ff000000"),
    (Color(.srgb, 1, 0, 0, alpha: 0.5), "#ff000080"),
    (Color(.srgb, 1, 0, 0, alpha: 7), "#ff0000"),
    (Color(.hsl, 120, 100, 25), "#008000"),
    (Color(.hsb, 210, 50, 80), "#6699cc"),
    (Color(.hwb, 194, 0, 0), "#00c3ff"),
    (Color(.oklch, 0.7, 0.1, 200), "#40b1b7"),
    (Color(.lab, 52.2345, 40.1645, 59.9971), "#c65d06"),
    (Color(.displayP3, 0.5, 0.25, 0.75), "#893bc6"),
    (Color(.srgbLinear, 0.2, 0.4, 0.6), "#7caacb"),
    (Color(.xyzD50, 0.3, 0.4, 0.5), "#3ebad0"),
  ])
  func roundsToNearest(color: Color, hex: String) {
    #expect(color.hex == hex)
  }

  @Test func agreesWithTheRoundedComponents() {
    var samples = ColorSamples(seed: 0x4E)
    for _ in 0..<2000 {
      let color = samples.srgb()
      let again = Color(hex: color.hex.dropFirst())
      for (one, two) in zip(color.components, again?.components ?? []) {
        let difference: Double = (one ?? 0) - (two ?? 9)
        #expect(abs(difference) <= 0.5 / 255 + 1e-12)
      }
    }
  }

  @Test func neverTraps() {
    let odd: [Double?] = [nil, 0, -1, .nan, .infinity, -.infinity, 1e308, -1e308, 1e-308, 1e20]
    for space in ColorSpace.allCases {
      for first in odd {
        for second in odd {
          let color = Color(space, first, second, 1e200, alpha: second)
          #expect([7, 9].contains(color.hex.utf8.count))
          #expect(color.rgb.red >= 0 && color.rgb.red <= 255)
        }
      }
    }
  }
}
