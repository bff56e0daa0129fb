import PaletteModel
import Testing

struct ColorMixingTests {
  /// Values of CSS Color 4's `color-mix()`, computed by hand from its rules.
  @Test(arguments: [
    ("rgb(0 0 0)", "rgb(255 255 255)", 0.5, ColorSpace.srgb, "#808080"),
    ("red", "blue", 0.5, .srgb, "#800080"),
    ("red", "blue", 0.25, .srgb, "#bf0040"),
    ("black", "white", 0.5, .oklab, "#636363"),
    ("hsl(350 100% 50%)", "hsl(10 100% 50%)", 0.5, .hsl, "#ff0000"),
    ("hsl(10 100% 50%)", "hsl(350 100% 50%)", 0.5, .hsl, "#ff0000"),
  ])
  func goesTheWay(_ from: String, _ to: String, _ part: Double, _ space: ColorSpace, _ hex: String)
    throws
  {
    #expect(try Color(from).mixed(with: try Color(to), part: part, in: space).hex == hex)
  }

  @Test func keepsTheEndsAsTheyWereWritten() throws {
    let (from, to) = (try Color("oklch(70% 0.1 40)"), try Color("hsb(16 72% 100%)"))
    #expect(from.mixed(with: to, part: 0, in: .lab) == from)
    #expect(from.mixed(with: to, part: 1, in: .lab) == to)
  }

  @Test func premultipliesAlpha() throws {
    let mixed = try Color("rgb(255 0 0 / 0)").mixed(with: Color("blue"), part: 0.5, in: .srgb)
    #expect(mixed.hex == "#0000ff80")
    let nothing = try Color("rgb(255 0 0 / 0)")
      .mixed(with: Color("rgb(0 0 255 / 0)"), part: 0.5, in: .srgb)
    #expect(nothing.hex == "#80008000")
  }

  @Test func takesAMissingComponentFromTheOther() throws {
    let mixed = try Color("oklch(0.5 0.1 none)")
      .mixed(with: Color("oklch(0.7 0.1 120)"), part: 0.5, in: .oklch)
    #expect(mixed.third == 120)
    // A grey has no hue, so it does not pull that of the other.
    let grey = try Color("oklch(0.5 0 0)").mixed(with: Color("red"), part: 0.5, in: .oklch)
    let red = try Color("red").components(in: .oklch)
    #expect(abs(try #require(grey.third) - (try #require(red[2]))) < 1e-9)
  }

  @Test func turnsHues() throws {
    let color = try Color("oklch(0.6 0.1 300)")
    #expect(try #require(color.turned(by: 120).third) == 60)
    #expect(color.turned(by: 120).first == 0.6)
    #expect(try Color("#777").turned(by: 90) == Color("#777"))
    #expect(try Color("tomato").turned(by: 180).bytes8 != nil)
  }

  @Test(arguments: ColorDeficiency.allCases)
  func seesGreysAsTheyAre(_ deficiency: ColorDeficiency) throws {
    for hex in ["#000000", "#808080", "#ffffff"] {
      #expect(try Color(hex).seen(with: deficiency).hex == hex)
    }
    #expect(try Color("rgb(0 0 0 / 0.25)").seen(with: deficiency).alpha == 0.25)
  }

  @Test func bringsConfusedColorsTogether() throws {
    let pairs: [(ColorDeficiency, String, String)] = [
      (.protan, "#d02020", "#605010"), (.deutan, "#d05050", "#8f7f40"),
      (.tritan, "#4060a0", "#207060"), (.achroma, "#ff0000", "#808000"),
    ]
    for (deficiency, one, two) in pairs {
      let (one, two) = (try Color(one), try Color(two))
      let seen = one.seen(with: deficiency).deltaE2000(to: two.seen(with: deficiency))
      #expect(seen < one.deltaE2000(to: two) / 2, "\(deficiency)")
    }
    let grey = try #require(try Color("tomato").seen(with: .achroma).bytes8)
    #expect(grey.red == grey.green && grey.green == grey.blue)
  }

  /// The least difference of the choice, against all choices.
  @Test func choosesWhatDiffers() throws {
    let names = [
      "red", "tomato", "orange", "gold", "green", "teal", "navy", "blue", "white", "black",
    ]
    let colors = try names.map { try Color($0) }
    func least(_ indexes: [Int]) -> Double {
      indexes.flatMap { one in
        indexes.filter { $0 != one }.map { colors[one].deltaE2000(to: colors[$0]) }
      }.min() ?? 0
    }
    let chosen = DistinctColors(among: colors).indexes(choosing: 3)
    #expect(Set(chosen).count == 3)
    #expect(chosen == DistinctColors(among: colors).indexes(choosing: 3))
    var best = 0.0
    for one in colors.indices {
      for two in 0..<one { for three in 0..<two { best = max(best, least([one, two, three])) } }
    }
    #expect(least(chosen) >= best * 0.9)
    #expect(DistinctColors(among: colors).indexes(choosing: 50).sorted() == Array(colors.indices))
    let same = DistinctColors(among: [colors[0], colors[0], colors[0]])
    #expect(same.indexes(choosing: 2).count == 2)
    #expect(DistinctColors(among: []).indexes(choosing: 2).isEmpty)
  }
}
