import PaletteCommands
import PaletteJSON
import Testing

struct JSONAnswerTests {
  @Test func writesCompactJSONInOrder() {
    let document: JSON = ["b": [1, 2.5, "x", true, nil], "a": ["k": "v\n"]]
    #expect(document.text == #"{"b":[1,2.5,"x",true,null],"a":{"k":"v\n"}}"#)
    #expect(document.keys == ["b", "a"])
    #expect(document.bytes == Array(document.text.utf8))
  }

  @Test func readsWhatItWrites() throws {
    let document: JSON = ["n": 3, "d": -0.5, "s": "é", "l": [[:]], "t": false]
    let read = try JSON(answer: document.bytes)
    #expect(read == document)
    #expect(read["n"].intValue == 3)
    #expect(read["n"].numberValue == 3)
    #expect(read["d"].intValue == nil)
    #expect(read["s"].stringValue == "é")
    #expect(read["l"].arrayValue?.first?.isObject == true)
    #expect(read["t"].boolValue == false)
  }

  @Test func givesNullForWhatIsNotThere() {
    let document: JSON = ["a": 1]
    #expect(document["b"]["c"].isNull)
    #expect(document["a"]["c"].isNull)
    #expect(document["a"].stringValue == nil)
    #expect(document["a"].arrayValue == nil)
    #expect(document["a"].keys.isEmpty)
  }

  @Test func carriesBytes() {
    let bytes: [UInt8] = [0, 255, 10, 128]
    #expect(JSON(base64: bytes).base64Bytes == bytes)
    #expect(JSON("no base64!").base64Bytes == nil)
  }

  @Test func refusesWhatIsNoJSON() {
    #expect(throws: APIError.self) { try JSON(answer: Array("{".utf8)) }
  }

  @Test func errorHasThreeKeys() {
    let error = APIError(code: "not-found", message: "no palette 'x'")
    #expect(error.document.text == #"{"code":"not-found","message":"no palette 'x'","hint":null}"#)
  }
}
