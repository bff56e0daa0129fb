import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import Testing

@testable import hued

struct EditorStateTests {
  private static let now = Moment(milliseconds: 1_000_000)

  private static func state(_ names: [String], rows: Int = 12, columns: Int = 40) -> EditorState {
    let colors = names.map { name -> JSON in
      [
        "id": JSON(name), "name": JSON(name), "hex": "#ff8800", "color": "#ff8800",
        "seen": JSON("seen-" + name), "note": "", "conflicts": [],
      ]
    }
    var state = EditorState(rows: rows, columns: columns)
    let snapshot: JSON = [
      "event": "snapshot", "palette": ["id": "p", "name": "Sea"], "colors": JSON(colors),
    ]
    #expect(state.handle(.palette(snapshot), at: now).isEmpty)
    return state
  }

  private static func press(_ keys: [TerminalInput], _ state: inout EditorState) -> [EditorAction] {
    keys.flatMap { state.handle(.input($0), at: now) }
  }

  @Test func slidersAreOneEditWithTheSeenOfTheirBeginning() throws {
    var state = Self.state(["a", "b"])
    #expect(Self.press([.right, .enter, .tab, .tab, .character("7"), .enter], &state).isEmpty)
    let diff: JSON = [
      "event": "diff", "deletions": [["index": 0, "id": "a"]], "insertions": [], "moves": [],
      "updates": [
        [
          "index": 0,
          "color": ["id": "b", "name": "b", "hex": "#000000", "color": "black", "seen": "new"],
          "was": [:],
        ]
      ],
    ]
    _ = state.handle(.palette(diff), at: Self.now)
    let actions = Self.press([.enter], &state)
    guard case .call(.set, let parameters)? = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(parameters["color"] == "b")
    #expect(parameters["seen"] == "seen-b")
    #expect(try Color(parameters["value"].stringValue ?? "").hex == "#078800")
  }

  @Test func escapeTakesAGestureBack() {
    var state = Self.state(["a"])
    #expect(Self.press([.enter, .right, .escape], &state).isEmpty)
    #expect(state.mode == .browsing)
  }

  @Test func severalAreDeletedAsOneEditOnceConfirmed() {
    var state = Self.state(["a", "b", "c"])
    let actions = Self.press(
      [.character(" "), .right, .character(" "), .character("d"), .character("y")],
      &state
    )
    #expect(
      actions == [
        .call(.remove, ["palette": "p", "colors": ["a", "b"], "seen": ["seen-a", "seen-b"]])
      ]
    )
  }

  @Test func copiesHex() {
    var state = Self.state(["a"])
    #expect(Self.press([.character("y")], &state) == [.copy("#ff8800")])
  }

  @Test func refusalIsTold() {
    var state = Self.state(["a"])
    let error = APIError(code: "forbidden", message: "viewers cannot edit")
    #expect(state.handle(.failed(error), at: Self.now) == [.beep])
    #expect(state.message == "viewers cannot edit")
  }

  @Test func screenIsDrawnCellByCell() {
    let state = Self.state(["a\u{1B}[2J\u{202E}", "界"])
    let canvas = EditorScreen.canvas(of: state, at: Self.now)
    #expect(canvas.line(0) == "Sea  1/2")
    #expect(canvas.line(1) == "▶ #ff8800             #ff8800")
    #expect(canvas.line(2) == " a[2J                界")
    #expect(canvas[1, 1].style.background == ScreenColor(hex: "#ff8800"))
    #expect(canvas[2, 22].text.isEmpty)
  }

  @Test func frameHoldsOnlyWhatDiffers() {
    var old = ScreenCanvas(rows: 2, columns: 10)
    old.put("abc", row: 0, column: 0)
    var new = old
    new.put("X", row: 0, column: 1)
    #expect(TerminalFrame.changes(from: old, to: old, depth: .truecolor).isEmpty)
    #expect(
      TerminalFrame.changes(from: old, to: new, depth: .none) == "\u{1B}[1;2H\u{1B}[0mX\u{1B}[0m"
    )
  }
}
