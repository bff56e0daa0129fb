import PaletteFormats
import PaletteJSON
import PaletteMerge
import Testing

@testable import PaletteCommands

struct ParametersTests {
  private let now = Moment(milliseconds: 1_795_261_121_123)

  @Test func takesNamesAsTheyAreKept() throws {
    #expect(try Parameters(["name": " Coral\n"]).name("name") == "Coral")
    let error = try #require(throws: APIError.self) { try Parameters(["name": " "]).name("name") }
    #expect(error.code == "bad-name" && error.message == "the name is empty")
    #expect(throws: APIError.self) { try Parameters(["name": "a\u{1B}b"]).name("name") }
  }

  @Test func takesNotesAsTheyAre() throws {
    #expect(try Parameters(["text": " a\nb "]).note("text") == " a\nb ")
    let error = try #require(throws: APIError.self) {
      try Parameters(["text": "a\tb"]).note("text")
    }
    #expect(error.code == "bad-value")
  }

  @Test func takesTimes() throws {
    #expect(try Parameters([:]).optionalMoment("at", now: now) == nil)
    let moment = try Parameters(["at": "1 second ago"]).optionalMoment("at", now: now)
    #expect(moment?.milliseconds == now.milliseconds - 1000)
    let error = try #require(throws: APIError.self) {
      try Parameters(["at": "soon"]).optionalMoment("at", now: now)
    }
    #expect(error.code == "bad-time" && error.hint?.contains("2026-11-21T11:38:41.123Z") == true)
  }

  @Test func knowsWhatIsNotThere() throws {
    #expect(try Parameters(["a": nil]).optionalText("a") == nil)
    #expect(throws: APIError.self) { try Parameters(["a": []]).optionalText("a") }
  }
}
