import PaletteCommands
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

struct ImportTests {
  static let answer = """
    {"files":[{"file":"a.gpl","format":"gpl","palette":"9f8e7d6c-0000-4000-8000-000000000000",\
    "colors":3,"skipped":[{"at":"7","reason":"no color"}],"inserted":2,"deleted":0,"moved":0,\
    "updated":1,"error":null},{"file":"b","format":null,"palette":null,"colors":0,"skipped":[],\
    "inserted":0,"deleted":0,"moved":0,"updated":0,\
    "error":{"code":"bad-format","message":"not a palette","hint":null}}]}
    """

  @Test func readsFilesItself() throws {
    let folder = try TemporaryFolder()
    try folder.write("hello", to: "a.gpl")
    let path = folder.file("a.gpl")
    let run = TestRun(#"{"files":[]}"#)
    run.console.input = [0, 255]
    #expect(run.run("import", path, "-", "--palette", "P", "--format=gpl") == .done)
    let parameters = try #require(run.api.requests.first).parameters
    #expect(
      parameters == [
        "files": [
          ["file": JSON(path), "bytes": "aGVsbG8="], ["file": "-", "bytes": "AP8="],
        ],
        "palette": "P", "format": "gpl",
      ]
    )
  }

  @Test func passesUnreadableFilesOnAsErrors() throws {
    let folder = try TemporaryFolder()
    let run = TestRun(#"{"files":[]}"#)
    run.run("import", folder.file("missing"), folder.path)
    let files = try #require(run.api.requests.first).parameters["files"].arrayValue ?? []
    #expect(files.map { $0["error"]["code"].stringValue } == ["not-found", "failed"])
    #expect(files.allSatisfy { $0["bytes"].isNull })
  }

  @Test func anyRefusedFileIsBadInput() {
    let run = TestRun(Self.answer)
    #expect(run.run("import", "-") == .badInput)
    #expect(
      run.console.text == "a.gpl\tgpl\t9f8e7d6c-0000-4000-8000-000000000000\t3\t2\t0\t0\t1\t1\t\n"
        + "b\t\t\t0\t0\t0\t0\t0\t0\tbad-format\n"
    )
    #expect(
      run.console.notes == "hued: a.gpl:7: skipped, no color\nhued: b: not a palette\n"
    )
    let json = TestRun(Self.answer)
    #expect(json.run("import", "-", "--json") == .badInput)
    #expect(json.console.text == Self.answer + "\n")
    #expect(json.console.notes == "")
  }

  @Test func tellsATerminalInALine() {
    let run = TestRun.onTerminal(Self.answer)
    run.run("import", "-", "--color", "never")
    #expect(run.console.text == "a.gpl  gpl, 3 colors: 2 inserted, 1 updated\n")
  }

  @Test func quietKeepsErrorsOnly() {
    let run = TestRun(Self.answer)
    run.run("import", "-", "--quiet")
    #expect(run.console.text == "")
    #expect(run.console.notes == "hued: b: not a palette\n")
  }
}
