import PaletteModel
import Testing

struct ColorConversionTests {
  @Test(
    arguments: [HueConversionTable.rows, LabConversionTable.rows, RGBConversionTable.rows]
      .flatMap { $0.split(separator: "\n") }
  )
  func agreesWithTable(row: Substring) throws {
    let fields = row.split(separator: " ")
    let color = try Color(css: fields[0])
    let space = try #require(ColorSpace(cssName: fields[1]))
    let expected = Color(space, Double(fields[2]), Double(fields[3]), Double(fields[4]))
    let result = color.converted(to: space)
    #expect(result.isClose(to: expected, tolerance: 2e-6), "\(result)")
  }

  @Test(arguments: ColorSpace.allCases)
  func returnsFromEverySpace(space: ColorSpace) {
    var samples = ColorSamples(seed: 0xC0105 + UInt64(space.rawValue))
    for _ in 0..<200 {
      let color = samples.srgb()
      let back = color.converted(to: space).converted(to: .srgb)
      #expect(back.isClose(to: color, tolerance: 1e-9), "\(color) by \(space) is \(back)")
    }
  }

  @Test(arguments: ColorSpace.allCases)
  func reachesEverySpaceFromOutsideTheGamut(space: ColorSpace) {
    var samples = ColorSamples(seed: 0xFA2 + UInt64(space.rawValue))
    for _ in 0..<100 {
      let color = samples.color(in: .rec2020)
      let back = color.converted(to: space).converted(to: .rec2020)
      #expect(back.isClose(to: color, tolerance: 1e-6), "\(color) by \(space) is \(back)")
    }
  }

  @Test(arguments: [
    ("color(display-p3 1 0 0)", "color(srgb 1.0930664 -0.2267420 -0.1501346)"),
    ("color(display-p3 -0.1 -0.1 -0.1)", "color(srgb -0.1 -0.1 -0.1)"),
    ("color(rec2020 0 0 1)", "hsl(230.6391473 179.6545469% 37.5638255%)"),
    ("color(rec2020 0 0 1)", "hsb(230.6391473 128.4831939% 105.0489461%)"),
    ("color(rec2020 0 0 1)", "hwb(230.6391473 -29.9212950% -5.0489461%)"),
    ("color(rec2020 0.42 0.48 0.35)", "color(srgb 0.3495610 0.4594523 0.2944279)"),
    ("color(a98-rgb 0.5 0.7 0.2)", "color(srgb 0.3851445 0.7058682 0.1041650)"),
    ("color(prophoto-rgb 0.4 0.5 0.3)", "color(srgb 0.4194168 0.5921103 0.3270862)"),
    ("color(xyz-d50 0.3 0.4 0.5)", "color(srgb 0.2425780 0.7284549 0.8167964)"),
    ("lab(50 40 59.5)", "color(srgb 0.7483950 0.3415643 -0.0001571)"),
    ("hwb(0 40% 80%)", "color(srgb 0.3333333 0.3333333 0.3333333)"),
    ("hwb(90 30% 5%)", "color(srgb 0.625 0.95 0.3)"),
  ])
  func doesNotClamp(source: String, expected: String) throws {
    let expected = try Color(css: expected)
    let result = try Color(css: source).converted(to: expected.space)
    #expect(result.isClose(to: expected, tolerance: 1e-6), "\(result)")
  }

  @Test func keepsItsOwnSpaceAsAuthored() {
    let color = Color(.hsl, 400, 0, 50, alpha: nil)
    #expect(color.converted(to: .hsl) == color)
    #expect(color.components(in: .hsl) == [nil, 0, 50])
  }

  @Test(arguments: [
    "hsl(none 50% 50%)", "oklch(0.5 none 30)", "oklch(0.6 0.2 none)", "oklab(0.5 none none)",
    "lch(50 none none)", "color(srgb none 0.6 1)", "color(srgb 0 none 0)", "lab(none 0 0)",
    "hwb(120 none none)", "hsb(none 40% 60%)",
  ])
  func takesNoneForZero(source: String) throws {
    let color = try Color(css: source)
    let zero = try Color(css: source.replacing("none", with: "0"))
    for space in ColorSpace.allCases {
      let result = color.converted(to: space)
      #expect(result.hex == color.hex, "\(result)")
      if space != color.space { #expect(result == zero.converted(to: space)) }
    }
  }

  @Test func keepsAlpha() {
    #expect(Color(.srgb, 1, 0, 0, alpha: nil).converted(to: .lab).alpha == nil)
    #expect(Color(.srgb, 1, 0, 0, alpha: 0.25).converted(to: .lab).alpha == 0.25)
  }

  @Test(arguments: [
    (Color(.oklab, 0.5, 0.000_003_9, 0), ColorSpace.oklch, true),
    (Color(.oklab, 0.5, 0.000_004_1, 0), .oklch, false),
    (Color(.lab, 50, 0.001_49, 0), .lch, true),
    (Color(.lab, 50, 0.001_51, 0), .lch, false),
    (Color(.srgb, 0.500_004_9, 0.5, 0.5), .hsl, true),
    (Color(.srgb, 0.500_02, 0.5, 0.5), .hsl, false),
    (Color(.srgb, 0.500_009, 0.5, 0.5), .hwb, true),
    (Color(.srgb, 0.500_011, 0.5, 0.5), .hwb, false),
  ])
  func dropsPowerlessHue(color: Color, space: ColorSpace, isPowerless: Bool) {
    let result = color.converted(to: space)
    let hue = space == .lch || space == .oklch ? result.third : result.first
    #expect((hue == nil) == isPowerless)
    if isPowerless {
      #expect(space == .hwb ? result.second == 100 - (result.third ?? 0) : result.second == 0)
    }
  }

  @Test(arguments: ColorSpace.allCases)
  func keepsGreyGrey(space: ColorSpace) {
    for step in 0...20 {
      let lightness = Double(step) * 5
      for source in [Color(.lab, lightness, 0, 0), Color(.oklab, lightness / 100, 0, 0)] {
        let hsl = source.converted(to: space).converted(to: .hsl)
        #expect(hsl.first == nil && hsl.second == 0, "\(source) by \(space) is \(hsl)")
      }
    }
  }
}
