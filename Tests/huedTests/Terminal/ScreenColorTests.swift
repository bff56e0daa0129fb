import Testing

@testable import hued

struct ScreenColorTests {
  @Test func readsHex() {
    #expect(ScreenColor(hex: "#ff8000") == ScreenColor(red: 255, green: 128, blue: 0))
    #expect(ScreenColor(hex: "#FF800080")?.alpha == 128)
    for text in ["", "#", "#fff", "ff8000", "#ff800g", "#ff80000", "+ff8000"] {
      #expect(ScreenColor(hex: text) == nil)
    }
  }

  @Test(arguments: [
    ("#000000", 16), ("#ffffff", 231), ("#ff0000", 196), ("#808080", 244), ("#ff8700", 208),
    ("#5f87af", 67), ("#080808", 232), ("#eeeeee", 255),
  ])
  func findsTheNearestOf256(_ hex: String, _ index: Int) throws {
    #expect(try #require(ScreenColor(hex: hex)).index256 == index)
  }

  @Test func blendsWithWhatLiesBehind() throws {
    let half = try #require(ScreenColor(hex: "#ff000080"))
    #expect(half.over(grey: 255) == ScreenColor(red: 255, green: 127, blue: 127))
    #expect(half.over(grey: 0) == ScreenColor(red: 128, green: 0, blue: 0))
  }

  @Test func drawsPatches() {
    #expect(
      Swatch.patch("#ff8000", width: 2, depth: .truecolor)
        == "\u{1B}[48;2;255;128;0m  \u{1B}[0m"
    )
    #expect(
      Swatch.patch("#ff0000", width: 1, depth: .indexed256) == "\u{1B}[48;5;196m \u{1B}[0m"
    )
    #expect(Swatch.patch("#ff0000", width: 4, depth: .none) == "")
    #expect(Swatch.patch("bogus", width: 4, depth: .truecolor) == "")
  }

  @Test func showsAlphaOverAChecker() {
    let row = Swatch.patch("#00000000", width: 4, depth: .truecolor)
    #expect(row.contains("48;2;255;255;255") && row.contains("48;2;153;153;153"))
    #expect(row != Swatch.patch("#00000000", width: 4, row: 1, depth: .truecolor))
  }
}
