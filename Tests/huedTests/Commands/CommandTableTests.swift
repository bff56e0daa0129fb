import Foundation
import PaletteCommands
import PaletteFormats
import PaletteJSON
import Testing

@testable import hued

struct CommandTableTests {
  /// A command that somebody wrote and did not list would be missing everywhere, silently.
  @Test func listsEveryCommandThatIsWritten() throws {
    let folder = Repository.path("Sources/PaletteCommands/Commands")
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    var count = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      for maker in [" = Command(", " = adjusting("] {
        count += text.components(separatedBy: maker).count - 1
      }
    }
    #expect(count == CommandTable.all.count)
  }

  @Test func hasEveryCommandOnce() {
    #expect(Set(CommandTable.all).count == CommandTable.all.count)
    let grouped = CommandGroup.allCases.flatMap { CommandTable.commands(in: $0) }
    #expect(grouped.count == CommandTable.commands.count)
  }

  @Test(arguments: CommandTable.commands)
  func isConsistent(_ command: Command) {
    let names = command.flags.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(names).isDisjoint(with: CommandTable.globalFlags.map(\.name)))
    #expect(command.choices.flatMap(\.flags).allSatisfy(names.contains))
    #expect(!command.examples.isEmpty)
    #expect(!command.summary.hasSuffix("."))
    // Only the last positional may be optional or repeated, apart from a run of optional ones, and from
    // one that takes what those around it leave.
    let needs = command.positionals.map(\.need).filter { $0 != .any }
    #expect(!needs.dropLast().contains(.repeated))
    #expect(needs.drop { $0 == .once }.allSatisfy { $0 != .once })
  }

  @Test(arguments: CommandTable.commands)
  func examplesCanBeParsed(_ command: Command) throws {
    for example in command.examples {
      let line = example.line.split(separator: " | ").first { $0.contains("hued ") } ?? ""
      guard let start = line.range(of: "hued ")?.upperBound else { continue }
      let words = Self.words(String(line[start...].prefix { $0 != ")" || line.contains("'") }))
      let meaning = try ArgumentParser.parse(words.prefix { $0 != ">" })
      switch meaning {
      case .run(let invocation): #expect(invocation.command == command)
      case .help: #expect(command == .help)
      case .version: Issue.record("an example asks for the version")
      }
    }
  }

  /// What an example promises has to be there.
  @Test func examplesNameFormatsThatExist() throws {
    let answer = try FolderAccess(
      location: LibraryLocation(home: "/nowhere", configurationFile: "")
    )
    .call(Request(method: "formats", parameters: [:]))
    let formats = try #require(try answer.json["formats"].arrayValue)
    let names = formats.compactMap { $0["name"].stringValue }
    for command in CommandTable.commands where [.import, .export].contains(command) {
      for example in command.examples {
        let words = Self.words(example.line)
        for (word, next) in zip(words, words.dropFirst()) where word == "--format" {
          #expect(names.contains(next), "\(example.line)")
        }
        for word in words {
          guard let dot = word.lastIndex(of: ".") else { continue }
          #expect(names.contains(String(word[word.index(after: dot)...])), "\(example.line)")
        }
      }
    }
  }

  /// The words of a line, where quotes hold some together.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var isQuoted = false
    var isOpen = false
    for character in line {
      if character == "'" {
        isQuoted.toggle()
        if isQuoted, !isOpen { words.append("") }
        isOpen = true
      } else if character == " ", !isQuoted {
        isOpen = false
      } else {
        if !isOpen { words.append("") }
        isOpen = true
        words[words.count - 1].append(character)
      }
    }
    return words
  }

  @Test(arguments: [
    (
      "add", "hued add PALETTE VALUE [NAME] [--at N | --before COLOR | --after COLOR] [--note TEXT]"
    ),
    ("move", "hued move PALETTE COLOR (--at N | --before COLOR | --after COLOR)"),
    ("remove", "hued remove PALETTE COLOR..."),
    ("tweak", "hued tweak PALETTE COLOR (--lighter [PERCENT] | --darker [PERCENT])"),
    ("import", "hued import FILE... [--palette NAME] [--format F]"),
    ("convert", "hued convert VALUE --to SPACE"),
    ("palettes", "hued palettes [--limit N] [--after ID]"),
  ])
  func describesUsage(_ name: String, _ usage: String) throws {
    #expect(try #require(CommandTable.command(named: name)).usage == usage)
  }

  @Test func everyCommandIsFoundByItsName() {
    for command in CommandTable.all {
      #expect(CommandTable.command(named: command.name)?.name == command.name)
    }
  }
}
