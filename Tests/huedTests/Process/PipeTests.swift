import PaletteTestSupport
import Testing

/// Colors that go from one command to the next, with the real program.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct PipeTests {
  private let home: TestHome

  init() throws {
    home = try TestHome()
    try home.run(["new", "Brand"])
  }

  /// Runs a line of a shell in which `hued` is the program.
  private func shell(_ line: String) throws -> Shell.Result {
    try Shell.run(
      "/bin/sh",
      ["-c", "hued() { \"$HUED\" \"$@\"; }; \(line)"],
      home: home.path,
      variables: ["HUED": Shell.hued]
    )
  }

  @Test func addsARampAsOneAction() throws {
    let result = try shell("hued ramp tomato gold 7 | hued add Brand -")
    #expect(result.status == 0, "\(result.error)")
    let names = try home.names("Brand")
    #expect(names.count == 7 && names.first == "#ff6347" && names.last == "#ffd700")
    try home.run(["undo", "Brand"])
    #expect(try home.names("Brand").isEmpty)
    try home.run(["redo", "Brand"])
    #expect(try home.names("Brand") == names)
  }

  @Test func keepsNames() throws {
    _ = try shell("printf 'red\\tRot\\nnavy\\tBlau\\n' | hued add Brand -")
    _ = try home.run(["new", "Seen"])
    let seen = try shell("hued simulate Brand --deficiency achroma | hued add Seen -")
    #expect(seen.status == 0, "\(seen.error)")
    #expect(try home.names("Seen") == ["Rot", "Blau"])
    #expect(try shell("hued distinct 2 --from Brand | cut -f 2 | sort").output == "Blau\nRot\n")
  }

  @Test func answersForEachLine() throws {
    let hexes = try shell("printf 'red\\nblue\\n' | hued convert - --to srgb")
    #expect(hexes.output == "rgb(255, 0, 0)\nrgb(0, 0, 255)\n")
    let facts = try shell("printf 'red\\nblue\\n' | hued color - --json")
    #expect(facts.output.hasPrefix(#"{"colors":[{"color":"rgb(255, 0, 0)""#))
    #expect(try shell("printf red | hued name -").output == "red\t#ff0000\t0\n")
    let harmony = try shell("hued ramp red blue 2 | hued harmony - --kind triad")
    #expect(harmony.output.split(separator: "\n").count == 6)
  }

  @Test func verbsGoThroughPipes() throws {
    let line =
      "hued ramp tomato gold navy 5 | hued saturate - 20 | hued rotate - -30 | hued darken - 5"
    let result = try shell(
      line + " | hued lighten - | hued complement - | hued textcolor - | sort -u"
    )
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.output.split(separator: "\n").allSatisfy {
        ["rgb(0, 0, 0)", "rgb(255, 255, 255)"].contains($0)
      }
    )
    let named = try shell("hued colors | grep -P '\\tgold$' | hued darken - 0")
    #expect(named.output == "rgb(255, 215, 0)\tgold\n")
    #expect(try shell("hued random 3 | wc -l").output == "3\n")
    #expect(try shell("hued color tomato gold --json").output.contains("\"colors\":[{"))
    #expect(try shell("hued paint tomato Hi").output == "Hi\n")
    let painted = try shell("hued --color always paint tomato Hi")
    #expect(painted.output.contains("\u{1B}[") && painted.output.contains("Hi"))
    let bad = try shell("hued darken tomato -5")
    #expect(bad.status == 2 && bad.error.contains("lighten"))
  }

  @Test func refusesWhatIsNoColorAndChangesNothing() throws {
    let bad = try shell("printf 'red\\nblu\\n' | hued add Brand -")
    #expect(bad.status == 2 && bad.error.contains("line 2") && bad.error.contains("'blue'"))
    #expect(try shell("hued add Brand - </dev/null").status == 2)
    #expect(try shell("echo red | hued add Brand - Name").status == 2)
    #expect(try home.names("Brand").isEmpty)
  }
}
