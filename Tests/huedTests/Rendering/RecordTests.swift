import PaletteProgram
import Testing

@testable import hued

struct RecordTests {
  static let record = """
    {"id":"1a2b3c4d-0000-4000-8000-000000000000","name":"Orange","color":"oklch(70% 0.1 40)",\
    "hex":"#ff8800","index":3,"note":"line\\nbreak","conflicts":["name"]}
    """
  static let palette = """
    {"id":"9f8e7d6c-0000-4000-8000-000000000000","name":"Sun\\u202eset","count":1,"digest":"d"}
    """
  static let list = "{\"palette\":\(palette),\"colors\":[\(record)]}"
  static let fields =
    "3\t#ff8800\tOrange\toklch(70% 0.1 40)\t1a2b3c4d-0000-4000-8000-000000000000\tline\\nbreak\n"

  @Test func listsTabSeparatedWhenPiped() {
    let run = TestRun(Self.list)
    #expect(run.run("list", "P") == .done)
    #expect(run.console.text == Self.fields)
  }

  @Test func keepsTheFieldsWhenColorsAreForced() {
    let run = TestRun(Self.list)
    run.run("list", "P", "--color", "always")
    let columns = run.console.text.split(separator: "\t")
    #expect(columns.count == 6)
    #expect(columns[1] == "\u{1B}[48;5;208m\u{1B}[30m#ff8800\u{1B}[0m")
  }

  @Test func listsATableOnATerminal() {
    let run = TestRun.onTerminal(Self.list)
    run.run("list", "P")
    #expect(run.console.text.contains("\u{1B}[48;2;255;136;0m    \u{1B}[0m #ff8800"))
    let plain = TestRun.onTerminal(Self.list)
    plain.run("list", "P", "--color=never")
    #expect(
      plain.console.text == """
        Sunset  1 color
        #  COLOR    NAME    VALUE              CONFLICTS  NOTE
        0  #ff8800  Orange  oklch(70% 0.1 40)  name       line↵ break\n
        """
    )
  }

  @Test func listsPalettes() {
    let answer = "{\"palettes\":[\(Self.palette)]}"
    let run = TestRun(answer)
    run.run("palettes")
    #expect(run.console.text == "Sun\u{202E}set\t1\t9f8e7d6c-0000-4000-8000-000000000000\n")
    let terminal = TestRun.onTerminal(answer)
    terminal.run("palettes", "--color=never")
    #expect(terminal.console.text == "NAME    COLORS\nSunset       1\n")
    let empty = TestRun.onTerminal(#"{"palettes":[]}"#)
    empty.run("palettes")
    #expect(empty.console.text.contains("hued new NAME"))
  }

  /// A strip is as long as there is room, and only where there are colors.
  @Test func showsTheFirstColorsOfPalettes() {
    let hexes = Array(repeating: ##""#ff8800""##, count: 40).joined(separator: ",")
    let answer =
      #"{"palettes":[{"id":"9f8e7d6c-0","name":"Sea","count":99,"digest":"d","strip":[\#(hexes)]}]}"#
    let run = TestRun.onTerminal(answer)
    run.run("palettes")
    #expect(run.parameters == #"{"strip":40}"#)
    let patches = run.console.text.split(separator: "\u{1B}[48;2;255;136;0m").count - 1
    #expect((10...40).contains(patches))
    let plain = TestRun.onTerminal(answer)
    plain.run("palettes", "--color=never")
    #expect(plain.parameters == "{}")
    #expect(plain.console.text == "NAME  COLORS\nSea       99\n")
  }

  @Test(arguments: [
    (["add", "P", "red"], "Added"), (["set", "P", "C", "red"], "Set"),
    (["rename", "P", "C", "N"], "Renamed"), (["note", "P", "C", "T"], "Noted"),
    (["move", "P", "C", "--at", "0"], "Moved"), (["restore", "P", "C"], "Restored"),
    (["tweak", "P", "C", "--darker"], "Tweaked"),
    (["resolve", "P", "C", "name", "N"], "Resolved"),
  ])
  func tellsAnEditInALine(_ line: [String], _ word: String) {
    let terminal = TestRun.onTerminal(Self.record)
    #expect(terminal.program.run(line + ["--color=never"]) == .done)
    #expect(terminal.console.text == "\(word) #ff8800 Orange  (1a2b3c4d, position 3)\n")
    let piped = TestRun(Self.record)
    _ = piped.program.run(line)
    #expect(piped.console.text == Self.fields)
    let quiet = TestRun(Self.record)
    _ = quiet.program.run(line + ["--quiet"])
    #expect(quiet.console.text == "" && quiet.console.notes == "")
  }

  @Test(arguments: [
    (["new", "N"], "Created"), (["title", "P", "N"], "Renamed to"),
    (["drop", "P", "--yes"], "Dropped"), (["restore", "P"], "Restored"),
  ])
  func tellsAnEditOfAPalette(_ line: [String], _ word: String) {
    let terminal = TestRun.onTerminal(Self.palette)
    _ = terminal.program.run(line + ["--color=never"])
    #expect(terminal.console.text == "\(word) Sunset  (9f8e7d6c, 1 color)\n")
  }

  @Test func tellsWhatWasRemovedAndUndone() {
    let removed = TestRun(#"{"removed":["a","b"]}"#)
    removed.run("remove", "P", "x", "y")
    #expect(removed.console.text == "a\nb\n")
    let undone = TestRun("{\"changed\":[\(Self.record),{\"id\":\"a\",\"removed\":true}]}")
    undone.run("undo", "P")
    #expect(undone.console.text == "changed\t" + Self.fields + "removed\ta\n")
    let nothing = TestRun.onTerminal(#"{"changed":[]}"#)
    #expect(nothing.run("redo", "P") == .done)
    #expect(nothing.console.text == "Nothing to redo\n")
  }
}
