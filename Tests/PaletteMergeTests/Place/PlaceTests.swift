import PaletteMerge
import Testing

struct PlaceTests {
  @Test func readsItsOwnText() throws {
    let place = try #require(Place(bytes: [0x00, 0x7F, 0xA0, 0xFF]))
    #expect(place.description == "007fa0ff")
    #expect(Place("007fA0ff") == place)
  }

  @Test(arguments: ["", "0", "000", "0g", " 00", "+0", "0x"])
  func refusesWhatIsNoPlace(text: String) {
    #expect(Place(text) == nil)
  }

  @Test func isNeitherEmptyNorTooLong() {
    #expect(Place(bytes: []) == nil)
    #expect(Place(bytes: [UInt8](repeating: 1, count: 1025)) == nil)
    #expect(Place(bytes: [UInt8](repeating: 1, count: 1024))?.bytes.count == 1024)
  }

  @Test(arguments: [("00", "01"), ("7f", "80"), ("80", "8000"), ("80ff", "81"), ("80", "ff")])
  func sortsByBytesAndThenByLength(left: String, right: String) throws {
    let (left, right) = try (#require(Place(left)), #require(Place(right)))
    #expect(left < right)
    #expect(!(right < left))
    #expect(!(left < left))
  }
}
