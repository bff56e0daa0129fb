import PaletteModel
import Testing

struct ColorContrastTests {
  @Test(arguments: [
    ("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1), ("#777777", "#ffffff", 4.478_089),
    ("#767676", "#ffffff", 4.542_225), ("#949494", "#ffffff", 3.033_470),
    ("#959595", "#ffffff", 2.995_346), ("#595959", "#ffffff", 7.004_729),
    ("#5a5a5a", "#ffffff", 6.896_926), ("#ff0000", "#ffffff", 3.998_477),
    ("#00ff00", "#ffffff", 1.372_190), ("#0000ff", "#000000", 2.444),
    ("#ff0000", "#00ff00", 2.913_938), ("#2e3440", "#eceff4", 10.835_926),
    ("#556270", "#4ecdc4", 3.223_225), ("#8b9986", "#ffffff", 3.000_629),
    ("lab(none 0 0)", "white", 21), ("#00000000", "#336699", 1), ("#0008", "#fff", 4.478_089),
    ("#000", "#fff0", 21), ("#000", "rgb(0 0 0 / 0.5)", 5.280_8), ("rgb(0 0 0 / none)", "white", 1),
  ])
  func agreesWithTheFormula(text: String, background: String, ratio: Double) throws {
    let contrast = try Color(css: text).contrast(with: Color(css: background))
    #expect(abs(contrast.ratio - ratio) < 1e-4, "\(contrast.ratio)")
  }

  @Test(arguments: [
    ("#767676", true, true, false, true), ("#777777", false, true, false, false),
    ("#949494", false, true, false, false), ("#959595", false, false, false, false),
    ("#595959", true, true, true, true), ("#5a5a5a", true, true, false, true),
  ])
  func givesVerdictsOnWhite(
    text: String,
    aaNormal: Bool,
    aaLarge: Bool,
    aaaNormal: Bool,
    aaaLarge: Bool
  ) throws {
    let contrast = try Color(css: text).contrast(with: Color(css: "white"))
    #expect(contrast.aa.normal == aaNormal && contrast.aa.large == aaLarge)
    #expect(contrast.aaa.normal == aaaNormal && contrast.aaa.large == aaaLarge)
  }

  @Test func isSymmetricForOpaqueColors() {
    var samples = ColorSamples(seed: 0xC0)
    for _ in 0..<200 {
      let (one, two) = (samples.srgb(), samples.srgb())
      #expect(one.contrast(with: two) == two.contrast(with: one))
      #expect((1...21).contains(one.contrast(with: two).ratio))
    }
  }

  @Test(arguments: [
    ("red", 0.2126), ("lime", 0.7152), ("blue", 0.0722), ("#777", 0.184_474_994_5),
    ("color(display-p3 2 2 2)", 1),
  ])
  func computesLuminance(source: String, luminance: Double) throws {
    #expect(abs(try Color(css: source).relativeLuminance - luminance) < 1e-9)
  }
}
