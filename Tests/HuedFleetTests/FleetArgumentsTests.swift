import PaletteCommands
import Testing

@testable import hued_fleet

struct FleetArgumentsTests {
  @Test(
    arguments: [
      ([], .help(nil)), (["help"], .help(nil)), (["--help"], .help(nil)),
      (["help", "serve"], .help(.serve)), (["serve", "--help"], .help(.serve)),
      (["--version"], .version), (["serve"], .run(.serve)), (["--json", "list"], .run(.list)),
      (["--database", "new", "list"], .run(.list)), (["new", "brand"], .run(.new)),
      (["share", "--", "-x"], .run(.share)),
    ] as [([String], FleetArguments.Action)]
  )
  func meansWhatItSays(_ words: [String], _ action: FleetArguments.Action) throws {
    #expect(try FleetArguments(words).action == action)
  }

  @Test func flagsMayStandAnywhere() throws {
    let arguments = try FleetArguments([
      "--database", "dbname=a", "share", "--role=viewer", "brand", "--name", "Ann", "-q",
    ])
    #expect(arguments.positionals == ["brand"])
    #expect(arguments["database"] == "dbname=a")
    #expect(arguments["role"] == "viewer" && arguments["name"] == "Ann")
    #expect(arguments.isSet("quiet") && !arguments.isSet("json"))
  }

  @Test(arguments: [
    ["lists"], ["new"], ["new", "a", "b"], ["list", "--role", "viewer"], ["share", "a", "--role"],
    ["list", "--json=yes"], ["list", "-x"], ["--database", "list"], ["help", "nothing"],
  ])
  func refusesTheRest(_ words: [String]) {
    do {
      _ = try FleetArguments(words)
      Issue.record("\(words) were taken")
    } catch {
      #expect(error.code == "bad-usage" && error.hint != nil)
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionHasEveryCommandAndFlag(_ shell: String) throws {
    let text = try FleetCompletion.text(for: shell)
    for verb in FleetVerb.allCases {
      #expect(text.contains(verb.rawValue))
      for flag in verb.flags { #expect(text.contains(flag.name)) }
    }
    #expect(throws: APIError.self) { try FleetCompletion.text(for: "tcsh") }
  }

  @Test func theManPageHasEveryCommand() {
    for verb in FleetVerb.allCases { #expect(FleetManPage.text.contains("fB\(verb.rawValue)")) }
  }

  @Test(arguments: FleetVerb.allCases)
  func helpHasEveryFlagAndFits(_ verb: FleetVerb) {
    let text = FleetHelp.text(for: verb)
    for flag in verb.flags + FleetVerb.common { #expect(text.contains("--\(flag.name)")) }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(FleetHelp.text(for: nil).contains(verb.rawValue))
  }
}
