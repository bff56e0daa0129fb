import Foundation
import PaletteCommands
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

struct ExportTests {
  static let answer = #"{"format":"css","bytes":"aGVsbG8="}"#

  @Test func printsTheBytes() {
    let run = TestRun(Self.answer)
    #expect(run.run("export", "P", "--output", "-") == .done)
    #expect(run.console.text == "hello")
    #expect(run.parameters == #"{"palette":"P"}"#)
  }

  @Test func printsTheDocumentAsJSON() {
    let run = TestRun(Self.answer)
    run.run("export", "P", "--json")
    #expect(run.console.text == Self.answer + "\n")
  }

  @Test func writesAFile() throws {
    let folder = try TemporaryFolder()
    let run = TestRun(Self.answer)
    #expect(run.run("export", "P", "--output", folder.file("a.b.CSS"), "--json") == .done)
    #expect(try folder.text("a.b.CSS") == "hello")
    #expect(try folder.names == ["a.b.CSS"])
    #expect(run.parameters == #"{"palette":"P","output-extension":"CSS"}"#)
    let document = try JSON(answer: run.console.output)
    #expect(document["bytes"] == 5)
    #expect(document["format"] == "css")
  }

  @Test func replacesAFileOnlyWhenConfirmed() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a.css")
    let run = TestRun(Self.answer)
    #expect(run.run("export", "P", "--output", folder.file("a.css")) == .badInput)
    #expect(try folder.text("a.css") == "old")
    #expect(run.api.requests.isEmpty)
    #expect(run.run("export", "P", "--output", folder.file("a.css"), "--yes") == .done)
    #expect(try folder.text("a.css") == "hello")
  }

  @Test func failsWhereNothingCanBeWritten() throws {
    let folder = try TemporaryFolder()
    let run = TestRun(Self.answer)
    #expect(run.run("export", "P", "--output", folder.file("no/folder.css")) == .failed)
    #expect(run.run("export", "P", "--output", "/dev/full") == .failed)
    #expect(run.console.notes.contains("No space left"))
  }

  @Test func keepsBytesAwayFromATerminal() {
    let run = TestRun.onTerminal(#"{"format":"ase","bytes":"AP8="}"#)
    #expect(run.run("export", "P") == .badInput)
    #expect(run.console.text == "")
    let piped = TestRun(#"{"format":"ase","bytes":"AP8="}"#)
    #expect(piped.run("export", "P") == .done)
    #expect(piped.console.output == [0, 255])
  }

  @Test(arguments: [
    ("a.css", "css"), ("x.y/a", nil), ("dir/a.tokens.json", "json"), (".hidden", nil), ("a.", nil),
  ])
  func findsTheExtension(_ path: String, _ name: String?) {
    #expect(CommandRunner.fileExtension(of: path) == name)
  }
}
