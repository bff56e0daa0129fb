import PaletteCommands
import Testing

struct DocumentTests {
  @Test func writesCompactJSONInOrder() {
    let document: Document = ["b": [1, 2.5, "x", true, nil], "a": ["k": "v\n"]]
    #expect(document.text == #"{"b":[1,2.5,"x",true,null],"a":{"k":"v\n"}}"#)
    #expect(document.keys == ["b", "a"])
    #expect(document.bytes == Array(document.text.utf8))
  }

  @Test func readsWhatItWrites() throws {
    let document: Document = ["n": 3, "d": -0.5, "s": "é", "l": [[:]], "t": false]
    let read = try Document(parsing: document.bytes)
    #expect(read == document)
    #expect(read["n"].integer == 3)
    #expect(read["n"].number == 3)
    #expect(read["d"].integer == nil)
    #expect(read["s"].string == "é")
    #expect(read["l"].array?.first?.isObject == true)
    #expect(read["t"].bool == false)
  }

  @Test func givesNullForWhatIsNotThere() {
    let document: Document = ["a": 1]
    #expect(document["b"]["c"].isNull)
    #expect(document["a"]["c"].isNull)
    #expect(document["a"].string == nil)
    #expect(document["a"].array == nil)
    #expect(document["a"].keys.isEmpty)
  }

  @Test func carriesBytes() {
    let bytes: [UInt8] = [0, 255, 10, 128]
    #expect(Document(base64: bytes).base64Bytes == bytes)
    #expect(Document("no base64!").base64Bytes == nil)
  }

  @Test func refusesWhatIsNoJSON() {
    #expect(throws: APIError.self) { try Document(parsing: Array("{".utf8)) }
  }

  @Test func errorHasThreeKeys() {
    let error = APIError(code: "not-found", message: "no palette 'x'")
    #expect(error.document.text == #"{"code":"not-found","message":"no palette 'x'","hint":null}"#)
  }
}
