import PaletteProgram
import Testing

@testable import hued

/// Results of the other commands: piped, and on a terminal without color.
struct ReportTests {
  struct Case: CustomTestStringConvertible {
    let line: [String]
    let answer: String
    let piped: String
    let terminal: String

    init(_ line: [String], _ answer: String, piped: String, terminal: String) {
      self.line = line
      self.answer = answer
      self.piped = piped
      self.terminal = terminal
    }

    var testDescription: String { line.joined(separator: " ") }
  }

  @Test(arguments: timeCases + factCases + careCases)
  func showsTheAnswer(_ given: Case) {
    let piped = TestRun(given.answer)
    #expect(piped.program.run(given.line) == .done)
    #expect(piped.console.text == given.piped)
    let terminal = TestRun.onTerminal(given.answer)
    #expect(terminal.program.run(given.line + ["--color=never"]) == .done)
    #expect(terminal.console.text == given.terminal)
  }

  static let timeCases = [
    Case(
      ["history", "P"],
      """
      {"changes":[{"dot":"00000000000000aa:2","stamp":"s","time":"2026-01-31T08:00:00.123Z",\
      "node":"00000000000000aa","author":"Ann","kind":"set","id":"1a2b3c4d-0","name":"Sky","registers":{"name":"A\\tB",\
      "place":"80"}}]}
      """,
      piped: "2026-01-31T08:00:00.123Z\tset\t1a2b3c4d-0\t00000000000000aa:2\t"
        + "{\"name\":\"A\\tB\",\"place\":\"80\"}\tAnn\n",
      terminal: """
        WHEN        BY   KIND  COLOR  WHAT
        2026-01-31  Ann  set   Sky    name A B, place\n
        """
    ),
    Case(
      ["history", "P"],
      """
      {"changes":[{"dot":"00000000000000aa:2","stamp":"s","time":"2026-01-31T08:00:00.123Z",\
      "node":"00000000000000aa","author":"Ann","namesake":true,"kind":"delete","id":"1a2b3c4d-0",\
      "name":"Sky","registers":{}}]}
      """,
      piped: "2026-01-31T08:00:00.123Z\tdelete\t1a2b3c4d-0\t00000000000000aa:2\t{}\t"
        + "Ann (namesake)\n",
      terminal: """
        WHEN        BY              KIND    COLOR
        2026-01-31  Ann (namesake)  delete  Sky\n
        """
    ),
    Case(
      ["history", "P"],
      #"{"changes":[]}"#,
      piped: "",
      terminal: "No changes\n"
    ),
    Case(
      ["conflicts"],
      """
      {"conflicts":[{"palette":"9f8e7d6c-0","id":"1a2b3c4d-0","name":"A","register":"name","values":[\
      {"value":"A","node":"aa","author":"Ann","stamp":"2","shown":true},\
      {"value":"B","node":"bb","author":null,"stamp":"1","shown":false}]}]}
      """,
      piped: "9f8e7d6c-0\t1a2b3c4d-0\tname\tA\taa\t2\tshown\tAnn\n"
        + "9f8e7d6c-0\t1a2b3c4d-0\tname\tB\tbb\t1\tsibling\t\n",
      terminal: """
        NAME  REGISTER  VALUE         BY
        A     name      A      shown  Ann
                        B           \("  ")
        Settle one with: hued resolve PALETTE COLOR, which asks for the value to keep\n
        """
    ),
    Case(
      ["conflicts"],
      #"{"conflicts":[]}"#,
      piped: "",
      terminal: "No conflicts\n"
    ),
  ]

  static let factCases = [
    Case(
      ["formats"],
      #"""
      {"formats":[{"name":"gpl","title":"GIMP","extensions":["gpl","g"],"reads":true,"writes":false}]}
      """#,
      piped: "gpl\tGIMP\tgpl,g\treads\t-\n",
      terminal: """
        NAME  TITLE  EXTENSIONS  READS  WRITES
        gpl   GIMP   gpl g       yes    -\n
        """
    ),
    Case(
      ["color", "x"],
      ##"""
      {"color":"red","hex":"#ff0000","name":"red","rgb":[255,0,0],"hsb":[null,100,99.99951],"alpha":1,"inGamut":true}
      """##,
      piped: "color\tred\nhex\t#ff0000\nname\tred\nrgb\t255 0 0\nhsb\tnone 100 100\nalpha\t1\n"
        + "inGamut\ttrue\n",
      terminal: """
        hex      #ff0000
        rgb      rgb(255, 0, 0)
        hsl      hsl(0 100% 50%)
        hsb      hsb(0 100% 100%)
        oklch    oklch(0.628 0.2577 29.23)
        similar  red, orangered, tomato\n
        """
    ),
    Case(
      ["convert", "x", "--to", "hsl"],
      ##"{"color":"hsl(0 100% 50%)","hex":"#ff0000"}"##,
      piped: "hsl(0 100% 50%)\n",
      terminal: "hsl(0 100% 50%)\n"
    ),
    Case(
      ["contrast", "a", "b"],
      """
      {"ratio":4.547853,"aa":{"normal":true,"large":true},"aaa":{"normal":false,"large":true}}
      """,
      piped:
        "ratio\t4.547853\naa normal\tpass\naa large\tpass\naaa normal\tfail\naaa large\tpass\n",
      terminal: """
        ratio       4.548:1
        AA normal   pass
        AA large    pass
        AAA normal  fail
        AAA large   pass\n
        """
    ),
    Case(
      ["name", "x"],
      ##"{"name":"tomato","hex":"#ff6347","deltaE":0.12345}"##,
      piped: "tomato\t#ff6347\t0.12345\n",
      terminal: "#ff6347 tomato  (ΔE 0.123)\n"
    ),
  ]

  static let careCases = [
    Case(
      ["compact", "--yes"],
      """
      {"before":"2026-01-31T08:00:00.000Z","palettes":[{"id":"9f8e7d6c-0","name":"Sea","changes":9,\
      "removed":4,"removedBytes":512},{"id":"8e7d6c5b-0","name":"Sky","changes":0,"removed":0,\
      "removedBytes":0}],"changes":9,"removed":4,"removedBytes":512,\
      "bytesBefore":8192,"bytesAfter":4096}
      """,
      piped: "before\t2026-01-31T08:00:00.000Z\nchanges\t9\nremoved\t4\nremovedBytes\t512\n"
        + "bytesBefore\t8192\nbytesAfter\t4096\npalette\tSea\t9\t4\t512\t9f8e7d6c-0\n"
        + "palette\tSky\t0\t0\t0\t8e7d6c5b-0\n",
      terminal: """
        before         2026-01-31T08:00:00.000Z
        changes        9
        removed        4
        removed bytes  512
        bytes before   8192
        bytes after    4096

        PALETTE  CHANGES  REMOVED  BYTES
        Sea            9        4    512\n
        """
    ),
    Case(
      ["status"],
      """
      {"node":"aa","version":"0.1.0","running":false,"listening":[],"inSync":false,\
      "reasons":["2 changes wait for ws://x","a\\u001bb"],"pending":2,"digest":"d",\
      "palettes":[{"id":"9f8e7d6c-0","name":"Sunset","count":3,"digest":"e","pending":2,\
      "conflicts":0}],"peers":[{"url":"ws://x","state":"live","pending":0,"rttMilliseconds":1.5,\
      "clockOffsetMilliseconds":null,"lastAck":null,"error":null,"grants":[{"role":"editor",\
      "palette":"9f8e7d6c-0","expires":"2026-01-31T08:00:00.000Z"},\
      {"role":"viewer","palette":null,"expires":"2027-01-31T08:00:00.000Z"}]}]}
      """,
      piped: "node\taa\nversion\t0.1.0\nrunning\tfalse\nlistening\t\ninSync\tfalse\n"
        + "reasons\t2 changes wait for ws://x; a\\u{1b}b\npending\t2\ndigest\td\n"
        + "palette\tSunset\t3\t2\t0\t9f8e7d6c-0\te\npeer\tws://x\tlive\t0\t1.5\t\t\t\n"
        + "grant\tws://x\teditor\t9f8e7d6c-0\t2026-01-31T08:00:00.000Z\n"
        + "grant\tws://x\tviewer\t\t2027-01-31T08:00:00.000Z\n",
      terminal: """
        Not in sync
          2 changes wait for ws://x
          ab
        Next: 'hued serve' keeps this library in sync, 'hued sync' does it once

        Node     not running
        Waiting  2 changes of yours

        PALETTE  COLORS  WAITING  CONFLICTS
        Sunset        3        2          0

        PEER    STATE  WAITING  ROUND TRIP
        ws://x  live         0      1.5 ms

        GRANTED BY  ROLE    PALETTE            UNTIL
        ws://x      editor  Sunset             2026-01-31
        ws://x      viewer  the whole library  2027-01-31\n
        """
    ),
    Case(
      ["doctor"],
      #"{"ok":true,"checks":[{"name":"lock","ok":true,"detail":""}]}"#,
      piped: "lock\tok\t\n",
      terminal: "All is well: 1 check passed\n  ✓ lock\n"
    ),
    Case(
      ["status"],
      """
      {"running":true,"listening":["http://h"],"inSync":true,"reasons":[],"pending":0,\
      "palettes":[{"id":"9f8e7d6c-0","name":"Sunset","count":3,"digest":"e","pending":0,\
      "conflicts":1,"with":["ws://x"]},{"id":"1f8e7d6c-0","name":"Own","count":0,"digest":"f","pending":0,\
      "conflicts":0,"with":[]}],"peers":[{"url":"ws://x","state":"live","name":"Studio","pending":0,\
      "rttMilliseconds":2,"lastAck":"1970-01-01T00:00:00.000Z","error":null}]}
      """,
      piped: "running\ttrue\nlistening\thttp://h\ninSync\ttrue\nreasons\t\npending\t0\n"
        + "palette\tSunset\t3\t0\t1\t9f8e7d6c-0\te\npalette\tOwn\t0\t0\t0\t1f8e7d6c-0\tf\n"
        + "peer\tws://x\tlive\t0\t2\t\t1970-01-01T00:00:00.000Z\t\n",
      terminal: """
        In sync with Studio
        Next: 'hued conflicts' shows what was written at the same time

        Node     at http://h
        Waiting  nothing

        PALETTE  COLORS  WITH    WAITING  CONFLICTS
        Sunset        3  Studio        0          1
        Own           0  nobody        0          0

        PEER    STATE  WAITING  LAST HEARD  ROUND TRIP  ADDRESS
        Studio  live         0  just now          2 ms  ws://x\n
        """
    ),
    Case(
      ["compact", "--yes"],
      #"{"rowsRemoved":3,"bytes":4096}"#,
      piped: "rowsRemoved\t3\nbytes\t4096\n",
      terminal: "rows removed  3\nbytes         4096\n"
    ),
    Case(
      ["config"],
      #"{"settings":[{"key":"k","value":true,"origin":"default"}]}"#,
      piped: "k\ttrue\tdefault\n",
      terminal: "KEY  VALUE  ORIGIN\nk    true   default\n"
    ),
    Case(
      ["config", "get", "k"],
      #"{"key":"k","value":"v","origin":"file"}"#,
      piped: "v\n",
      terminal: "v\n"
    ),
  ]

  /// Who is let in, and who of them is here, is told first on a machine that has joined nobody.
  @Test func tellsWhoIsHere() {
    let run = TestRun.onTerminal(
      """
      {"running":true,"listening":["http://h"],"inSync":true,"reasons":[],"pending":0,\
      "palettes":[{"id":"9f8e7d6c-0","name":"Brand","count":3,"pending":0,"conflicts":0,"with":[]}],\
      "peers":[],"members":[{"member":"m1","name":"Ann","kind":"machine","state":"live",\
      "since":"1970-01-01T00:00:00.000Z","lastContact":"1970-01-01T00:00:00.000Z","pending":0,\
      "views":["9f8e7d6c-0"]},{"member":"m2","name":"Bob","kind":"machine","state":"away","since":null,\
      "lastContact":null,"pending":12,"views":[]},{"member":"m3","name":"bot","kind":"script",\
      "state":"live","since":null,"lastContact":null,"pending":0,"views":[]}]}
      """
    )
    run.run("status", "--color", "never")
    let sentence = "1 of 2 machines, 1 script here: Ann looks at Brand, Bob lacks 12 changes\n"
    #expect(run.console.text.hasPrefix(sentence), "\(run.console.text)")
    let lines = run.console.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    #expect(
      lines.joined(separator: "\n").hasSuffix(
        """
        MEMBER  STATE  LACKS  LAST HEARD  LOOKS AT  KIND     SINCE
        Ann     live       0  now         Brand     machine  just now
        Bob     away      12                        machine
        bot     live       0  now                   script\n
        """
      ),
      "\(run.console.text)"
    )
  }

  @Test func tellsTheSameErrorOfSeveralFilesOnce() {
    let full = #"{"code":"too-large","message":"a palette has at most 250000 colors","hint":null}"#
    let bad = #"{"code":"bad-file","message":"no colors","hint":null}"#
    let files = [("a.hex", full), ("b.hex", bad), ("c.hex", full), ("d.hex", full)].map {
      #"{"file":"\#($0)","error":\#($1)}"#
    }
    let run = TestRun(#"{"files":[\#(files.joined(separator: ","))]}"#)
    #expect(run.run("import", "a.hex") == .badInput)
    #expect(
      run.console.notes == """
        hued: a.hex and 2 other files: a palette has at most 250000 colors
        hued: b.hex: no colors\n
        """
    )
  }

  @Test func showsThePatchesOfAHistory() {
    let run = TestRun.onTerminal(
      """
      {"changes":[{"time":"1970-01-01T00:00:00.000Z","kind":"set",\
      "registers":{"color":"hsl(0 100% 50.001234%)"}}]}
      """
    )
    run.run("history", "P")
    #expect(run.console.text.contains("just now"))
    #expect(run.console.text.contains("\u{1B}[48;2;255;0;0m    \u{1B}[0m  hsl(0 100% 50%)\n"))
  }

  @Test func showsABigPatchOfAColor() {
    let run = TestRun.onTerminal(##"{"color":"red","hex":"#ff0000"}"##)
    run.run("color", "red")
    let patch = "\u{1B}[48;2;255;0;0m" + String(repeating: " ", count: 16) + "\u{1B}[0m"
    let lines = run.console.text.split(separator: "\n")
    #expect(lines.count == 6 && lines.allSatisfy { $0.hasPrefix(patch) })
    #expect(lines.first?.hasSuffix("  hex      #ff0000") == true)
  }
}
