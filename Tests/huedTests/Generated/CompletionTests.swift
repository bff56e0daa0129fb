import Foundation
import PaletteCommands
import PaletteProgram
import Testing

@testable import hued

struct CompletionTests {
  /// What bash offers after the words that it made of a line.
  ///
  /// `hued` itself is a stand-in that knows two palettes.
  private func offers(_ words: String..., line typed: String? = nil) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(BashCompletion.script, to: "completion")
    try folder.write("", to: "sunset.gpl")
    let line = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    let script = """
      source '\(folder.file("completion"))'
      cd '\(folder.path)'
      hued() {
        [[ $1 == --home ]] && printf 'At %s\\t1\\tid\\n' "$2" && return
        case $1 in
          palettes) printf 'Sunset\\t3\\tid\\nTwo words\\t1\\tid\\n' ;;
          list) printf '0\\t#ff8800\\tOrange of %s\\tred\\tid\\t\\n' "$2" ;;
          tokens) printf '5ab6d04f\\teditor\\t\\t\\tx\\t\\t\\t42ede2ac\\tAnn Lee\\tscript\\t\\n' ;;
          peers) printf 'https://desk:4833\\tlive\\nmember\\tAnn Lee\\tscript\\n' ;;
          formats) printf '%s\\t\\t\\t%s\\t%s\\n' gpl reads writes gimp reads - ;;
        esac
      }
      COMP_WORDS=(\(line))
      COMP_CWORD=\(words.count - 1)
      COMP_LINE=$LINE_TYPED
      _hued
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try Shell.run(
      "bash",
      ["-c", script],
      variables: ["HOME": "/ann", "LINE_TYPED": typed ?? words.joined(separator: " ")]
    )
    #expect(result.error == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func completesCommands() throws {
    #expect(
      try offers("hued", "re")
        == ["remove", "rename", "restore", "redo", "resolve", "recover", "revert", "revoke"]
        .sorted { CommandOrder.position($0) < CommandOrder.position($1) }
    )
    #expect(try Set(offers("hued", "")) == Set(CommandTable.commands.map(\.name)))
    #expect(try offers("hued", "--home", "/tmp", "fo") == ["formats"])
    #expect(try offers("hued", "help", "conv") == ["convert"])
  }

  @Test func completesFlags() throws {
    #expect(try offers("hued", "add", "--be") == ["--before"])
    #expect(try offers("hued", "add", "--js") == ["--json"])
    #expect(try offers("hued", "list", "--be") == [])
    #expect(try offers("hued", "--co") == ["--color"])
    #expect(try offers("hued", "note", "P", "C", "--", "--be") == [])
  }

  @Test func completesValuesOfFlags() throws {
    #expect(try offers("hued", "--color", "a") == ["auto", "always"])
    #expect(try offers("hued", "list", "--color", "=", "ne") == ["never"])
    #expect(try offers("hued", "convert", "--to", "okl") == ["oklab", "oklch"])
    #expect(try offers("hued", "export", "Sunset", "--format", "g") == ["gpl"])
    #expect(try offers("hued", "import", "x", "--format", "g") == ["gpl", "gimp"])
    #expect(try offers("hued", "add", "Sunset", "--before", "Or") == ["Orange\\ of\\ Sunset"])
  }

  @Test func completesPalettesColorsAndFiles() throws {
    #expect(try offers("hued", "list", "Su") == ["Sunset"])
    #expect(try offers("hued", "list", "Two\\ w") == ["Two\\ words"])
    #expect(try offers("hued", "set", "Two\\ words", "") == ["Orange\\ of\\ Two\\ words"])
    #expect(try offers("hued", "remove", "Sunset", "A", "O") == ["Orange\\ of\\ Sunset"])
    #expect(try offers("hued", "import", "sun") == ["sunset.gpl"])
    #expect(try offers("hued", "import", "x", "sun") == ["sunset.gpl"])
    #expect(try offers("hued", "completion", "f") == ["fish"])
  }

  @Test func completesMembersPeersAndRoles() throws {
    #expect(try offers("hued", "revoke", "An") == ["Ann\\ Lee"])
    #expect(try offers("hued", "revoke", "5") == ["5ab6d04f"])
    #expect(try offers("hued", "leave", "") == ["https://desk:4833"])
    #expect(try offers("hued", "share", "--role", "e") == ["editor"])
    #expect(try offers("hued", "token", "--role", "vi") == ["viewer"])
  }

  @Test func asksAboutTheFolderThatWasTyped() throws {
    #expect(try offers("hued", "--home", "/a", "list", "") == ["At\\ /a"])
    #expect(try offers("hued", "list", "--home", "=", "'/a b'", "") == ["At\\ /a\\ b"])
    #expect(try offers("hued", "--home", "~/a", "list", "'") == ["At /ann/a"])
  }

  /// Bash takes words apart at colons, and replaces what follows the last one.
  @Test func completesWhatHasColons() throws {
    #expect(try offers("hued", "leave", "https", ":", line: "hued leave https:") == ["//desk:4833"])
    let line = "hued leave https://desk:4"
    #expect(try offers("hued", "leave", "https", ":", "//desk", ":", "4", line: line) == ["4833"])
    #expect(
      try offers("hued", "set", "Sea", ":", "dark", "", line: "hued set Sea:dark ")
        == ["Orange\\ of\\ Sea:dark"]
    )
  }

  /// The shell has the quote already, and closes it.
  @Test func completesWithinAnOpenQuote() throws {
    #expect(try offers("hued", "list", "'Two w") == ["Two words"])
    #expect(try offers("hued", "list", "\"Two w") == ["Two words"])
    #expect(try offers("hued", "list", "'") == ["Sunset", "Two words"])
  }

  @Test func fishOffersNoFilesWhereAWordIsMeant() {
    let lines = FishCompletion.script.split(separator: "\n")
    for name in ["kind", "role", "deficiency"] {
      let found = lines.filter { $0.contains(" -l \(name) ") }
      #expect(!found.isEmpty && found.allSatisfy { $0.contains(" -x ") })
    }
    #expect(lines.contains { $0.contains(" -l output ") && $0.contains(" -r -F") })
  }

  @Test func neverRunsWhatIsTyped() throws {
    let folder = try TemporaryFolder()
    _ = try offers("hued", "list", "$(touch \(folder.file("ran")))", "x")
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: Completion.allCases)
  func isPrintedByTheCommand(_ shell: Completion) {
    let run = TestRun()
    #expect(run.run("completion", shell.rawValue) == .done)
    #expect(run.console.text == shell.script)
    for command in CommandTable.commands {
      #expect(shell.script.contains(command.name))
      for flag in command.flags { #expect(shell.script.contains(flag.name)) }
    }
  }

  @Test(.enabled(if: Shell.isInstalled("zsh"), "zsh is not installed"))
  func zshUnderstandsItsScript() throws {
    try checkSyntax(of: .zsh)
  }

  @Test(.enabled(if: Shell.isInstalled("fish"), "fish is not installed"))
  func fishUnderstandsItsScript() throws {
    try checkSyntax(of: .fish)
  }

  private func checkSyntax(of shell: Completion) throws {
    let folder = try TemporaryFolder()
    try folder.write(shell.script, to: "completion")
    let result = try Shell.run(shell.rawValue, ["-n", folder.file("completion")])
    #expect(result.status == 0)
    #expect(result.error == "")
  }
}

private enum CommandOrder {
  static func position(_ name: String) -> Int {
    CommandTable.commands.firstIndex { $0.name == name } ?? -1
  }
}
