import PaletteModel
import Testing

struct NamedColorTests {
  private let red = NamedColor(id: .numbered(1), name: "Red", color: Color(.srgb, 1, 0, 0))

  @Test func isItsIdentity() {
    let renamed = NamedColor(id: red.id, name: "Rot", color: Color(.srgb, 0, 1, 0), note: "x")
    #expect(red == renamed)
    #expect(Set([red, renamed]).count == 1)
    #expect(red != NamedColor(id: .numbered(2), name: red.name, color: red.color))
  }

  @Test func comparesContent() {
    var other = NamedColor(id: .numbered(2), name: "Red", color: Color(.srgb, 1, 0, 0))
    #expect(red.hasSameContent(as: other))
    other.note = "x"
    #expect(!red.hasSameContent(as: other))
    other = red
    other.name = "Rad"
    #expect(!red.hasSameContent(as: other))
    other = red
    other.color.alpha = nil
    #expect(!red.hasSameContent(as: other))
  }

  @Test(arguments: [("\u{E9}", "e\u{301}"), ("\u{212B}", "A\u{30A}"), ("", "a")])
  func tellsNamesApartByBytes(left: String, right: String) {
    var first = red
    var second = red
    first.name = left
    second.name = right
    #expect(!first.hasSameContent(as: second))
    second.name = left
    #expect(first.hasSameContent(as: second))
  }
}
