import PaletteCommands
import PaletteFormats
import PaletteJSON
import PalettePlatform
import PaletteTestSupport
import Testing

@testable import PaletteClient

/// A node that is stopped, as by Ctrl-Z, answers nobody and still has the library.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct StoppedNodeTests {
  @Test func readsComeFromTheFileAndEditsSayThatItDoesNotAnswer() throws {
    let home = try TestHome()
    let node = try RunningNode(home: home.path)
    #expect(try node.hued("new", "Sea").status == 0)
    #expect(try node.hued("add", "Sea", "tomato", "Sun").status == 0)
    kill(node.processID, SIGSTOP)
    defer { kill(node.processID, SIGCONT) }
    let list = try node.hued("list", "Sea")
    #expect(list.status == 0 && list.output.contains("Sun"))
    #expect(list.error.contains("does not answer"))
    let failure = try home.failure(["add", "Sea", "gold"])
    #expect(failure == (5, "unreachable"))
    #expect(try node.hued("sync").status == 5)
    kill(node.processID, SIGCONT)
    #expect(try home.names("Sea") == ["Sun"])
  }

  /// A command that has been let in already is not left hanging either.
  @Test func aNodeThatIsStoppedBeforeItAnswersIsNotWaitedFor() throws {
    let home = try TestHome()
    let node = try RunningNode(home: home.path)
    let connection = try #require(try NodeConnection(home: home.path))
    _ = try connection.call(Request(method: "new", parameters: ["name": "Sea"]))
    kill(node.processID, SIGSTOP)
    defer { kill(node.processID, SIGCONT) }
    let request = Request(method: "new", parameters: ["name": "Sky"])
    let error = #expect(throws: APIError.self) { try connection.call(request) }
    #expect(error?.code == "unreachable")
    #expect(error?.message == "the node that runs here was stopped before it answered")
    kill(node.processID, SIGCONT)
    // It may be carried out afterwards, which the hint says.
    #expect(try node.hued("list", "Sea").status == 0)
  }
}
