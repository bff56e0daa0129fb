import PaletteModel
import Testing

struct ColorLightnessTests {
  @Test(arguments: [
    ("#336699", 10.0, "#4080bf"), ("#336699", -10, "#264d73"), ("#336699", 100, "#ffffff"),
    ("#336699", -100, "#000000"), ("#808080", 20, "#b3b3b3"), ("#000000", 50, "#808080"),
    ("#ff000080", 25, "#ff808080"), ("red", -12.5, "#bf0000"),
  ])
  func changesLightness(source: String, points: Double, hex: String) throws {
    #expect(try Color(css: source).lighter(by: points).hex == hex)
    #expect(try Color(css: source).darker(by: -points).hex == hex)
  }

  @Test func isTenPointsByDefault() {
    let color = Color(.hsl, 200, 40, 30, alpha: nil)
    #expect(color.lighter() == Color(.hsl, 200, 40, 40, alpha: nil))
    #expect(color.darker() == Color(.hsl, 200, 40, 20, alpha: nil))
  }

  @Test(arguments: [
    "#336699", "#010203", "#fedcba", "hsl(210 50% 40%)", "hwb(200 20% 30%)", "hsb(10 90% 80%)",
    "oklch(0.5 0.1 250 / 0.3)", "lab(40 20 -30)",
  ])
  func leadsBackFromBlackAndWhite(source: String) throws {
    let color = try Color(css: source)
    let dark = color.darker(by: 100)
    let light = color.lighter(by: 100)
    let lightness = try #require(color.components(in: .hsl)[2])
    #expect(dark.lighter(by: lightness).hex == color.hex)
    #expect(light.darker(by: 100 - lightness).hex == color.hex)
    #expect(dark.first == light.first && dark.second == light.second)
    #expect(dark.alpha == color.alpha && light.alpha == color.alpha)
  }

  @Test(arguments: [
    ("hsl(210 50% 0%)", "hsl(210 50% 10%)"), ("hsb(210 50% 0%)", "hsl(210 33.333333333% 10%)"),
    ("hsb(210 200% 0%)", "hsl(210 0% 10%)"), ("hsb(210 0% 50%)", "hsl(210 0% 60%)"),
    ("hwb(210 50% 50%)", "hsl(210 0% 60%)"),
    ("#000", "hsl(none 0% 10%)"), ("hsl(210 none 40%)", "hsl(210 none 50%)"),
  ])
  func keepsWhatDoesNotShow(source: String, expected: String) throws {
    #expect(try Color(css: source).lighter().css == expected)
  }

  @Test(arguments: ["oklch(0.6 0.2 none)", "lab(50 40 none)", "color(srgb 0.7 none 0.2)"])
  func takesNoneForZero(source: String) throws {
    let zero = try Color(css: source.replacing("none", with: "0"))
    #expect(try Color(css: source).lighter() == zero.lighter())
  }

  @Test func returnsTheAuthoredColorWhenNothingChanges() throws {
    let white = try Color(css: "#fff")
    #expect(white.lighter() == white)
    #expect(try Color(css: "hwb(120 0% 100%)").darker() == Color(.hwb, 120, 0, 100))
    #expect(try Color(css: "#336699").lighter(by: 0) == Color(css: "#336699"))
  }

  @Test func mapsIntoTheGamutFirst() throws {
    let color = try Color(css: "color(display-p3 1 0 0)").darker()
    #expect(color.space == .hsl && color.isInGamut)
  }
}
