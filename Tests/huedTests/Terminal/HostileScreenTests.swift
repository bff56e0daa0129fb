import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import Testing

@testable import hued

/// The screens of `edit` and `watch`, whatever text an event has anywhere.
struct HostileScreenTests {
  private static let now = Moment(milliseconds: 1_000_000)

  private static func color(_ id: String, _ text: String) -> JSON {
    [
      "id": JSON(id), "name": JSON(text), "hex": JSON(text), "color": JSON(text),
      "seen": JSON(text), "note": JSON(text), "conflicts": [JSON(text)],
    ]
  }

  private static func snapshot(_ text: String) -> JSON {
    [
      "event": "snapshot", "palette": ["id": JSON(text), "name": JSON(text)],
      "colors": [color("a", text), color(text, text), color("c", text)],
    ]
  }

  private static func diff(_ text: String) -> JSON {
    [
      "event": "diff", "author": JSON(text), "deletions": [["index": 2, "id": "c"]],
      "insertions": [["index": 1, "color": color("d", text)]],
      "moves": [["from": 2, "to": 0, "id": JSON(text), "seen": JSON(text)]],
      "updates": [
        [
          "index": 1, "color": color("a", text), "was": ["name": JSON(text), "color": JSON(text)],
        ]
      ],
    ]
  }

  private static func present(_ text: String) -> JSON {
    [
      "event": "presence",
      "present": ["a", text, "d"].map { selection in
        [
          "author": JSON(text), "name": JSON(text), "node": JSON(text),
          "selection": JSON(selection),
        ]
      }.asJSON,
    ]
  }

  private static func isHarmless(_ canvas: ScreenCanvas) -> Bool {
    (0..<canvas.rows).allSatisfy { HostileAnswerTests.isHarmless(canvas.line($0)) }
  }

  @Test(arguments: HostileAnswerTests.texts)
  func theEditorShowsNothingRaw(_ text: String) {
    var state = EditorState(rows: 24, columns: 80)
    func check(_ events: EditorEvent...) {
      for event in events {
        _ = state.handle(event, at: Self.now)
        #expect(Self.isHarmless(EditorScreen.canvas(of: state, at: Self.now)), "\(state.mode)")
      }
    }
    check(.palette(Self.snapshot(text)), .palette(Self.present(text)), .palette(Self.diff(text)))
    check(.palette(["event": "title", "palette": ["id": "p", "name": JSON(text)]]), .unsynced)
    check(.failed(APIError(code: "failed", message: text, hint: text)))
    let value: JSON = [
      "value": JSON(text), "color": JSON(text), "author": JSON(text), "time": JSON(text),
      "hex": JSON(text), "name": JSON(text),
    ]
    let conflict: JSON = [
      "id": JSON(state.cursor ?? ""), "name": JSON(text), "register": JSON(text),
      "values": [value, value],
    ]
    check(.answered(.conflicts, ["conflicts": [conflict]]), .input(.escape))
    // What is typed begins with what is there.
    for key in "nNcaed/Rv" { check(.input(.character(key)), .input(.escape)) }
    check(.input(.enter), .input(.tab), .input(.escape))
    check(.answered(.undo, ["changed": [JSON(text)]]), .answered(.add, Self.color(text, text)))
  }

  @Test(arguments: HostileAnswerTests.texts)
  func watchShowsNothingRaw(_ text: String) throws {
    let presentation = Presentation(isTerminal: true, depth: .none, columns: 80)
    guard case .run(let invocation) = try ArgumentParser.parse(["watch", "Sea"]) else { return }
    let renderer = TextRenderer(presentation: presentation, invocation: invocation)
    var screen = WatchScreen(renderer: renderer, rows: 24, columns: 80)
    for event in [Self.snapshot(text), Self.present(text), Self.diff(text)] {
      try screen.apply(event.bytes, at: Self.now)
      #expect(HostileAnswerTests.isHarmless(screen.lines(at: Self.now).joined(separator: "\n")))
      #expect(HostileAnswerTests.isHarmless(screen.lastState(at: Self.now)))
    }
    screen.warn(text)
    #expect(HostileAnswerTests.isHarmless(screen.lines(at: Self.now).joined(separator: "\n")))
  }
}

extension [JSON] {
  fileprivate var asJSON: JSON { .array(self) }
}
