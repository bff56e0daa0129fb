import PaletteCommands
import Testing

@testable import hued

struct WatchViewTests {
  private static func record(_ index: Int, _ name: String) -> String {
    ##"{"id":"\##(name)","name":"\##(name)","hex":"#00000\##(index)","color":"","index":\##(index)}"##
  }

  private static func view(isTerminal: Bool) throws -> WatchView {
    let meaning = try ArgumentParser.parse(["watch", "Sea"])
    guard case .run(let invocation) = meaning else { throw APIError(code: "x", message: "x") }
    let presentation = Presentation(
      isTerminal: isTerminal,
      depth: .none,
      columns: 80,
      isQuiet: false,
      isVerbose: false
    )
    return WatchView(
      renderer: TextRenderer(presentation: presentation, invocation: invocation)
    )
  }

  private static let snapshot =
    #"{"event":"snapshot","palette":{"name":"Sea","count":3},"colors":["#
    + (0..<3).map { record($0, "c\($0)") }.joined(separator: ",") + "]}"
  private static let diff =
    #"{"event":"diff","deletions":[{"index":0,"id":"c0"}],"insertions":[{"index":1,"color":"#
    + record(1, "new") + #"}],"moves":[{"from":2,"to":0,"id":"c2"}],"updates":[{"index":2,"color":"#
    + record(2, "renamed") + #","was":{}}],"author":"Ann"}"#

  @Test func drawsTheListAnew() throws {
    var view = try Self.view(isTerminal: true)
    _ = try view.show(Array(Self.snapshot.utf8))
    let text = try view.show(Array(Self.diff.utf8))
    #expect(text.hasPrefix("\u{1B}[H\u{1B}[2J"))
    let names = ["c0", "c1", "c2", "new", "renamed"].compactMap { name in
      text.firstRange(of: name).map { (name, $0.lowerBound) }
    }
    #expect(names.sorted { $0.1 < $1.1 }.map(\.0) == ["c2", "new", "renamed"])
  }

  @Test func numbersTheRowsAsTheyStandNow() throws {
    var view = try Self.view(isTerminal: true)
    _ = try view.show(Array(Self.snapshot.utf8))
    let text = try view.show(Array(Self.diff.utf8))
    let rows = text.split(separator: "\n").dropFirst(2)
    #expect(rows.map { $0.prefix(1) } == ["0", "1", "2", "L"])
    #expect(rows.last == "Last edit: Ann")
  }

  @Test func showsWhoIsHere() throws {
    var view = try Self.view(isTerminal: true)
    _ = try view.show(Array(Self.snapshot.utf8))
    let present =
      #"{"event":"presence","present":[{"name":"laptop","author":"Bob","selection":"c1"},"#
      + #"{"name":"phone","author":null,"selection":null}]}"#
    #expect(try view.show(Array(present.utf8)).contains("Here: Bob (c1), phone\n"))
  }

  @Test func showsANewTitle() throws {
    var view = try Self.view(isTerminal: true)
    _ = try view.show(Array(Self.snapshot.utf8))
    let title = #"{"event":"title","palette":{"name":"Ocean","count":3}}"#
    let text = try view.show(Array(title.utf8))
    #expect(text.contains("Ocean") && text.contains("c2") && !text.contains("Sea"))
  }

  @Test func printsStepsElsewhere() throws {
    var view = try Self.view(isTerminal: false)
    _ = try view.show(Array(Self.snapshot.utf8))
    let text = try view.show(Array(Self.diff.utf8))
    #expect(
      text == """
        delete\t0\t\t\t\tc0\tAnn
        insert\t1\t\t#000001\tnew\tnew\tAnn
        move\t0\t2\t\t\tc2\tAnn
        update\t2\t\t#000002\trenamed\trenamed\tAnn

        """
    )
    #expect(try view.show(Array(#"{"event":"state","peers":[]}"#.utf8)) == "")
  }
}
