import PalettePlatform
import PaletteTestSupport
import Testing

/// A node that is stopped, as by Ctrl-Z, answers nobody and still has the library.
@Suite(.timeLimit(.minutes(2 * Patience.factor)))
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
}
