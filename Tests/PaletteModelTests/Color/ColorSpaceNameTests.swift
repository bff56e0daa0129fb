import PaletteModel
import Testing

struct ColorSpaceNameTests {
  @Test(arguments: ColorSpace.allCases)
  func findsItsOwnName(space: ColorSpace) {
    #expect(ColorSpace(cssName: space.cssName) == space)
    #expect(ColorSpace(cssName: space.cssName.uppercased()) == space)
  }

  @Test func knowsTheShortNameOfXYZ() {
    #expect(ColorSpace(cssName: "xyz") == .xyzD65)
    #expect(ColorSpace.xyzD65.cssName == "xyz-d65")
  }

  @Test(arguments: ["", "hsv", "rgb", "display_p3", " srgb", "o\u{212A}lch"])
  func refusesOtherNames(name: String) {
    #expect(ColorSpace(cssName: name) == nil)
  }

  @Test func keepsRawValues() {
    let names = ColorSpace.allCases.sorted { $0.rawValue < $1.rawValue }.map(\.cssName)
    #expect(
      names == [
        "srgb", "hsb", "hsl", "hwb", "lab", "lch", "oklab", "oklch", "display-p3", "srgb-linear",
        "xyz-d65", "xyz-d50", "a98-rgb", "prophoto-rgb", "rec2020",
      ]
    )
  }
}
