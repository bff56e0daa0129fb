import PaletteCommands
import PaletteProgram
import Testing

@testable import hued

struct HelpTextTests {
  @Test(arguments: CommandTable.commands)
  func explainsEveryCommand(_ command: Command) {
    let run = TestRun()
    #expect(run.run(command.name, "--help") == .done)
    let text = run.console.text
    // A long usage goes over several lines.
    #expect(text.split(separator: "\n").joined(separator: " ").contains("Usage: \(command.usage) "))
    #expect(text.contains(command.summary))
    for flag in command.flags + CommandTable.globalFlags {
      #expect(text.contains("  \(flag.usage)"))
    }
    for example in command.examples { #expect(text.contains("  \(example.line)\n")) }
    let lines = text.split(separator: "\n")
    #expect(lines.filter { $0.count > 90 }.isEmpty)
    let other = TestRun()
    other.run("help", command.name)
    #expect(other.console.text == text)
    #expect(run.api.requests.isEmpty && run.api.location == nil)
  }

  @Test func listsEveryCommand() {
    let run = TestRun()
    #expect(run.run("help") == .done)
    for command in CommandTable.commands {
      #expect(run.console.text.contains("\n  \(command.name) "))
      #expect(run.console.text.contains(command.summary))
    }
    let other = TestRun()
    other.run("--help")
    #expect(other.console.text == run.console.text)
  }

  @Test func helpWinsOverOtherErrors() {
    let run = TestRun()
    #expect(run.run("add", "--bogus", "-h") == .done)
    #expect(run.console.text.contains("hued add PALETTE"))
  }

  @Test func helpSkipsTheValuesOfGlobalFlags() {
    let run = TestRun()
    #expect(run.run("--home", "list", "--color=never", "add", "--help") == .done)
    #expect(run.console.text.contains("Usage: hued add"))
  }

  @Test func helpAfterTheEndOfFlagsIsAnArgument() {
    let run = TestRun()
    #expect(run.run("note", "P", "C", "--", "--help") == .done)
    #expect(run.parameters == #"{"palette":"P","color":"C","text":"--help"}"#)
  }
}
