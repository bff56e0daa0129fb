import PaletteModel
import Testing

struct RecordIDTests {
  @Test func readsItsOwnText() throws {
    var random = SystemRandomNumberGenerator()
    let id = RecordID(using: &random)
    #expect(RecordID(id.description) == id)
    #expect(RecordID(id.description.uppercased()) == id)
    #expect(RecordID(bytes: id.bytes) == id)
    #expect(Array(id.description)[14] == "4")
  }

  @Test(arguments: [
    "", "0", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-0000000000000",
    "000000000000-0000-0000-0000-00000000", "+0000000-0000-0000-0000-000000000000",
  ])
  func refusesWhatIsNoID(text: String) {
    #expect(RecordID(text) == nil)
  }
}
