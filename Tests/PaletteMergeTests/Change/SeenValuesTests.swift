import PaletteModel
import Testing

struct SeenValuesTests {
  private let ann = NodeID(0xA)
  private let bob = NodeID(0xB)

  @Test func writesDotsAuthorByAuthor() throws {
    let dots = [Dot(bob, 3), Dot(ann, 12), Dot(ann, 7), Dot(bob, 3), Dot(ann, 4_294_967_295)]
    let seen = try #require(SeenValues(dots))
    #expect(seen.dots == [Dot(ann, 7), Dot(ann, 12), Dot(ann, .max), Dot(bob, 3)])
    #expect(seen.description == "000000000000000a:7,12,4294967295;000000000000000b:3")
    #expect(SeenValues(seen.description) == seen)
    #expect(SeenValues(dots.reversed()) == seen)
    #expect(dots.allSatisfy(seen.contains) && !seen.contains(Dot(bob, 7)))
    #expect(SeenValues([Dot]()) == nil)
  }

  @Test(arguments: [
    "", ";", "x", "000000000000000a", "000000000000000a:", "000000000000000a:0",
    "000000000000000a:1,", "000000000000000a:1,1", "000000000000000a:2,1", "000000000000000a:01",
    "000000000000000a:+1", "000000000000000A:1", "00000000000000a:1",
    "000000000000000b:1;000000000000000a:1", "000000000000000a:1;000000000000000a:2",
    "000000000000000a:4294967296", "000000000000000a:1 ", "000000000000000a:1:2",
  ])
  func refusesWhatItDoesNotWrite(text: String) {
    #expect(SeenValues(text) == nil)
  }
}
