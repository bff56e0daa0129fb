import PaletteFormats
import PaletteJSON
import Testing

@testable import PaletteCommands

struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var file: String { folder.file("config.json") }

  @Test func readsWhatPeopleWrite() throws {
    try folder.write("{\n  \"timeout\": 30,\n  \"color\": \"always\"\n}\n", to: "config.json")
    let configuration = try Configuration(readingFrom: file)
    #expect(configuration.timeoutSeconds == 30)
    #expect(configuration.color == "always")
    #expect(configuration.origin(of: .color) == file)
  }

  @Test func hasDefaults() throws {
    let configuration = try Configuration(readingFrom: file)
    #expect(configuration.timeoutSeconds == nil && configuration.color == "auto")
    #expect(configuration.origin(of: .color) == "default")
  }

  @Test func keepsOtherKeys() throws {
    try folder.write(#"{"later":{"x":[1]},"color":"auto"}"#, to: "config.json")
    var configuration = try Configuration(readingFrom: file)
    try configuration.set(.color, to: "never")
    #expect(try folder.text("config.json") == #"{"later":{"x":[1]},"color":"never"}"# + "\n")
  }

  @Test(arguments: ["", "[]", "{", #"{"color":"red"}"#, #"{"timeout":-1}"#, #"{"timeout":"5"}"#])
  func refuses(_ text: String) throws {
    try folder.write(text, to: "config.json")
    let error = try #require(throws: APIError.self) { try Configuration(readingFrom: file) }
    #expect(error.code == "bad-value" && error.message.contains(file))
    #expect(try folder.text("config.json") == text)
  }
}
