import PaletteTestSupport
import Testing

@testable import PaletteJSON

struct JSONTests {
  private let sample: JSON = [
    "name": "Coral", "rgb": [255, 127, 80], "alpha": 0.5, "note": nil, "shown": true,
  ]

  @Test func findsMembersAndElements() {
    #expect(sample["name"]?.stringValue == "Coral")
    #expect(sample["rgb"]?[2]?.integerValue == 80)
    #expect(sample["rgb"]?[3] == nil)
    #expect(sample["rgb"]?[-1] == nil)
    #expect(sample["alpha"]?.numberValue == 0.5)
    #expect(sample["alpha"]?.integerValue == nil)
    #expect(sample["note"]?.isNull == true)
    #expect(sample["shown"]?.boolValue == true)
    #expect(sample["absent"] == nil)
    #expect(sample["name"]?["x"] == nil)
  }

  @Test func findsTheLastOfEqualKeys() throws {
    #expect(try JSON(parsing: #"{"a":1,"b":2,"a":3}"#)["a"] == 3)
  }

  @Test func comparesKeysByteForByte() throws {
    let object = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
    #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
  }

  @Test func changesMembers() {
    var object: JSONObject = ["a": 1, "b": 2, "a": 3]
    object["a"] = 4
    object["c"] = 5
    #expect(object == ["a": 1, "b": 2, "a": 4, "c": 5])
    object["a"] = nil
    #expect(object == ["b": 2, "c": 5])
  }

  @Test func comparesNumbersByValue() {
    #expect(JSON.integer(1) == .number(1))
    #expect(JSON.integer(1) != .number(1.5))
    #expect(JSON.integer(.max) != .number(0x1p63))
    #expect(JSON.integer(1) != .bool(true))
  }

  @Test(arguments: TestSeeds.some(of: 200))
  func roundTrips(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let value = random.json(depth: 5)
    #expect(try JSON(parsing: value.bytes) == value, "replay with seed \(seed)")
  }

  @Test(arguments: TestSeeds.some(of: 400))
  func survivesDamage(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var bytes = random.json(depth: 5).bytes
    for _ in 0..<3 {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255,
        using: &random
      )
    }
    let value = try? JSON(parsing: bytes)
    if let value { #expect(try JSON(parsing: value.bytes) == value, "replay with seed \(seed)") }
  }
}
