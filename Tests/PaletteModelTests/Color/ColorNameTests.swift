import Testing

@testable import PaletteModel

struct ColorNameTests {
  @Test func knowsEveryName() throws {
    let names = CSSColorName.all.map(\.name)
    #expect(names.count == 148)
    #expect(names == names.sorted())
    for (name, rgb) in CSSColorName.all {
      let color = try Color(css: name.uppercased())
      #expect(color == CSSColorName.color(rgb))
      #expect(color.nearestCSSName.color == color)
      #expect(color.nearestCSSName.deltaE == 0)
    }
  }

  @Test func spellsGreyBothWays() throws {
    for name in CSSColorName.all.map(\.name) where name.contains("gray") {
      let other = name.replacing("gray", with: "grey")
      #expect(try Color(css: name) == Color(css: other))
    }
  }

  @Test(arguments: [
    ("#ff0001", "red"), ("#00ffff", "aqua"), ("#ff00ff", "fuchsia"), ("#808080", "gray"),
    ("#663398", "rebeccapurple"), ("oklch(0.45 0.31 264)", "blue"),
    ("hsl(30 100% 50%)", "darkorange"),
    ("#ff000000", "red"), ("lab(0 none none)", "black"),
  ])
  func findsTheNearest(source: String, name: String) throws {
    #expect(try Color(css: source).nearestCSSName.name == name)
  }

  @Test func isNearerThanEveryOther() throws {
    var samples = ColorSamples(seed: 0x9A3E)
    for _ in 0..<20 {
      let color = samples.srgb()
      let nearest = color.nearestCSSName
      #expect(nearest.deltaE == color.deltaE2000(to: nearest.color))
      for entry in CSSColorName.all {
        #expect(color.deltaE2000(to: CSSColorName.color(entry.rgb)) >= nearest.deltaE)
      }
    }
  }
}
