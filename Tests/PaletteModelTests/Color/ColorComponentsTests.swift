import PaletteModel
import Testing

struct ColorComponentsTests {
  @Test func readsItsBytesBack() throws {
    for byte in UInt8.min...UInt8.max {
      let color = Color(red8: byte, green8: byte / 2, blue8: 255 - byte, alpha8: byte)
      let bytes = try #require(color.bytes8)
      #expect(bytes == (byte, byte / 2, 255 - byte, byte))
    }
  }

  @Test(arguments: [
    Color(.srgb, 0.5, 0, 0), Color(.srgb, 1, 0, 0, alpha: 0.5), Color(.srgb, nil, 0, 0),
    Color(.srgb, 0, 0, 0, alpha: nil), Color(.srgb, 1.2, 0, 0), Color(.srgb, -1.0 / 255, 0, 0),
    Color(.srgbLinear, 1, 0, 0), Color(.hsl, 0, 0, 0), Color(.srgb, .nan, 0, 0),
    Color(.srgb, (1.0 / 255).nextUp, 0, 0),
  ])
  func hasNoBytesForAnythingElse(color: Color) {
    #expect(color.bytes8 == nil)
  }

  @Test func knowsWhatIsFinite() {
    #expect(Color(.lab, nil, 0, 1e300).isFinite)
    #expect(!Color(.lab, .infinity, 0, 0).isFinite)
    #expect(!Color(.lab, 0, .nan, 0).isFinite)
    #expect(!Color(.lab, 0, 0, -.infinity).isFinite)
    #expect(!Color(.lab, 0, 0, 0, alpha: .nan).isFinite)
  }

  @Test func setsItsComponents() {
    var color = Color(.lab, 1, 2, 3)
    color.components[1] = nil
    #expect(color == Color(.lab, 1, nil, 3))
  }
}
