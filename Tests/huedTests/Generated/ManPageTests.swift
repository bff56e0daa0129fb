import Foundation
import PaletteCommands
import PaletteProgram
import Testing

@testable import hued

struct ManPageTests {
  @Test func hasEveryCommandFlagAndExitCode() {
    let text = ManPage.text
    for command in CommandTable.commands {
      #expect(text.contains(".SS \"hued \(command.name)"))
    }
    #expect(text.contains("\\-\\-timeout SECONDS"))
    for code in ExitCode.allCases { #expect(text.contains("\n.B \(code.rawValue)\n")) }
  }

  @Test func isPrintedByTheCommand() {
    let run = TestRun()
    #expect(run.run("man") == .done)
    #expect(run.console.text == ManPage.text)
  }

  @Test(.enabled(if: Shell.isInstalled("groff"), "groff is not installed"))
  func formatsWithoutWarnings() throws {
    let folder = try TemporaryFolder()
    try ManPage.text.write(toFile: folder.file("hued.1"), atomically: false, encoding: .utf8)
    let result = try Shell.run("groff", ["-man", "-Tascii", "-ww", folder.file("hued.1")])
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output.contains("hued add Sunset '#ff8800' Orange"))
    #expect(result.output.contains("hued import *.txt --palette Brand"))
  }
}
