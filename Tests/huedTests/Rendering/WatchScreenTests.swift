import PaletteCommands
import PaletteMerge
import Testing

@testable import hued

struct WatchScreenTests {
  private static let start = Moment(milliseconds: 1_000_000)

  private static func record(_ index: Int, _ name: String) -> String {
    let hex = "#00000" + String(index % 10)
    return #"{"id":"\#(name)","name":"\#(name)","hex":"\#(hex)","color":"","index":\#(index)}"#
  }

  private static func renderer(isTerminal: Bool = true) throws -> TextRenderer {
    let meaning = try ArgumentParser.parse(["watch", "Sea"])
    guard case .run(let invocation) = meaning else { throw APIError(code: "x", message: "x") }
    let presentation = Presentation(isTerminal: isTerminal, depth: .none, columns: 80)
    return TextRenderer(presentation: presentation, invocation: invocation)
  }

  private static func screen(colors: Int = 3, rows: Int = 24, columns: Int = 80) throws
    -> WatchScreen
  {
    var screen = WatchScreen(renderer: try renderer(), rows: rows, columns: columns)
    try screen.apply(Array(snapshot(colors).utf8), at: start)
    return screen
  }

  private static func snapshot(_ count: Int) -> String {
    #"{"event":"snapshot","palette":{"name":"Sea","count":3},"colors":["#
      + (0..<count).map { record($0, "c\($0)") }.joined(separator: ",") + "]}"
  }

  private static let diff = Array(
    (#"{"event":"diff","deletions":[{"index":0,"id":"c0"}],"insertions":[{"index":1,"color":"#
      + record(1, "new")
      + #"}],"moves":[{"from":2,"to":0,"id":"c2"}],"updates":[{"index":2,"color":"#
      + record(2, "renamed") + #","was":{"name":"c1","color":""}}],"author":"Ann"}"#).utf8
  )

  private static func update(_ index: Int) -> [UInt8] {
    let record = ##"{"id":"c\##(index)","name":"c\##(index)","hex":"#ffffff","color":"white"}"##
    return Array(
      (#"{"event":"diff","deletions":[],"insertions":[],"moves":[],"updates":[{"index":\#(index),"#
        + #""color":\#(record),"was":{}}],"author":"Ann"}"#).utf8
    )
  }

  @Test func followsTheDiffs() throws {
    var screen = try Self.screen()
    try screen.apply(Self.diff, at: Self.start)
    let rows = screen.lines(at: Self.start)[2...4].map { row in
      row.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    #expect(rows.map { $0[1] } == ["0", "1", "2"])
    #expect(rows.map { $0[3] } == ["c2", "new", "renamed"])
    #expect(
      rows.map { $0[4...].joined(separator: " ") }
        == ["moved by Ann", "added by Ann", "renamed by Ann"]
    )
  }

  /// What changed is pointed at for a while, and whose it was stays.
  @Test func pointsAtWhatChanged() throws {
    var screen = try Self.screen()
    try screen.apply(Self.update(1), at: Self.start)
    #expect(screen.lines(at: Self.start)[3].hasPrefix("▶  1"))
    #expect(screen.millisecondsToNextChange(at: Self.start) <= 5_000)
    let later = Self.start.advanced(by: .seconds(6))
    let lines = screen.lines(at: later)
    #expect(!lines.joined().contains("▶"))
    #expect(lines.contains("Last edit: Ann recolored c1, 6 seconds ago"))
  }

  /// A change that is out of sight is scrolled to.
  @Test(arguments: [0, 17, 2_500, 4_999])
  func scrollsToWhatChanged(index: Int) throws {
    var screen = try Self.screen(colors: 5_000, rows: 10, columns: 50)
    _ = screen.press(.pageDown)
    try screen.apply(Self.update(index), at: Self.start)
    let lines = screen.lines(at: Self.start)
    #expect(lines.count == 10)
    #expect(lines.contains { $0.contains("▶") && $0.contains(" c\(index) ") })
  }

  /// No line is wider than the screen, and there are as many as it has rows.
  @Test(arguments: [(10, 50), (24, 80), (60, 200), (6, 20), (3, 12), (1, 1)])
  func fitsTheScreen(rows: Int, columns: Int) throws {
    var screen = try Self.screen(colors: 200, rows: 24, columns: 80)
    screen.resize(rows: rows, columns: columns)
    let present = #"{"event":"presence","present":[{"name":"a"},{"name":"漢字"}]}"#
    try screen.apply(Array(present.utf8), at: Self.start)
    let peers = #"{"event":"state","peers":[{"url":"https://hub:4833","state":"offline"}]}"#
    try screen.apply(Array(peers.utf8), at: Self.start)
    try screen.apply(Self.update(150), at: Self.start)
    let lines = screen.lines(at: Self.start)
    #expect(lines.count == rows)
    // The swatch and its number are as wide as they are; the terminal cuts what is wider.
    guard columns >= 20 else { return }
    for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
  }

  @Test func tellsWhoIsHereAndHowPeersAre() throws {
    var screen = try Self.screen()
    let present =
      #"{"event":"presence","present":[{"name":"laptop","author":"Bob","selection":"c1"},"#
      + #"{"name":"phone","author":null,"selection":null}]}"#
    try screen.apply(Array(present.utf8), at: Self.start)
    let peers =
      #"{"event":"state","peers":[{"url":"u","name":"hub","state":"live","pending":0},"#
      + #"{"url":"https://b","name":null,"state":"offline","pending":2}]}"#
    try screen.apply(Array(peers.utf8), at: Self.start)
    let lines = screen.lines(at: Self.start)
    #expect(lines.contains("Here: Bob (c1), phone"))
    #expect(lines.contains("Peers: hub live, https://b offline (2 waiting)"))
  }

  @Test func showsANewTitle() throws {
    var screen = try Self.screen()
    let title = #"{"event":"title","palette":{"name":"Ocean","count":3}}"#
    try screen.apply(Array(title.utf8), at: Self.start)
    #expect(screen.lines(at: Self.start)[0] == "Ocean  3 colors")
  }

  @Test func scrollsByKeys() throws {
    var screen = try Self.screen(colors: 100, rows: 13, columns: 80)
    func first(_ screen: WatchScreen) -> String {
      var screen = screen
      let fields = screen.lines(at: Self.start)[2].split(separator: " ")
      return String(fields[0])
    }
    let steps: [(WatchScreen.Key, String)] = [
      (.down, "1"), (.pageDown, "10"), (.up, "9"), (.last, "90"), (.pageDown, "90"), (.first, "0"),
      (.up, "0"),
    ]
    for (key, expected) in steps {
      let goesOn = screen.press(key)
      #expect(goesOn)
      #expect(first(screen) == expected, "\(key)")
    }
    let goesOn = screen.press(.quit)
    #expect(!goesOn)
  }

  @Test(
    arguments: [
      ("jk", [.down, .up]), ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OA", [.up]),
      ("gG", [.first, .last]),
      ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("q", [.quit]), ("\u{1B}", []), ("\u{1B}[", []),
      ("\u{1B}[99;99;99Rz", []), ("\u{4}", [.quit]),
    ] as [(String, [WatchScreen.Key])]
  )
  func readsKeys(bytes: String, keys: [WatchScreen.Key]) {
    #expect(WatchScreen.Key.keys(Array(bytes.utf8)) == keys)
  }

  /// What is left on the normal screen says where the rest is.
  @Test func leavesTheLastStateBehind() throws {
    var screen = try Self.screen(colors: 100, rows: 13, columns: 80)
    let text = screen.lastState(at: Self.start)
    #expect(text.hasPrefix("Sea  100 colors\n"))
    #expect(text.hasSuffix("and 90 more colors: hued list Sea\n"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test func printsStepsElsewhere() throws {
    let steps = WatchSteps(renderer: try Self.renderer(isTerminal: false))
    #expect(try steps.text(Array(Self.snapshot(1).utf8)).hasPrefix("0\t#000000\tc0"))
    #expect(
      try steps.text(Self.diff) == """
        delete\t0\t\t\t\tc0\tAnn
        insert\t1\t\t#000001\tnew\tnew\tAnn
        move\t0\t2\t\t\tc2\tAnn
        update\t2\t\t#000002\trenamed\trenamed\tAnn

        """
    )
    #expect(try steps.text(Array(#"{"event":"state","peers":[]}"#.utf8)) == "")
  }
}
