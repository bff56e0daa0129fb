import PaletteCommands
import PaletteJSON
import PaletteModel
import Testing

@testable import hued

/// Whatever text an answer has anywhere, a terminal gets only what hued itself says to it.
struct HostileAnswerTests {
  /// Texts as others may write them into any field.
  static let texts = [
    "\u{1B}]0;x\u{7}\u{1B}[2J\u{9B}2J\r\n\tx\u{202E}\u{2066}\u{2069}\u{200F}\u{61C}\u{1B}]8;;http://x\u{1B}\\"
      + "\u{0}\u{8}\u{7F}\u{85}\u{2028}",
    String(repeating: "\u{1B}[A\u{202E}x", count: 40),
  ]

  /// The commands that show one answer; the others have screens of their own.
  private static let commands = CommandTable.commands.filter { command in
    ![.serve, .watch, .edit, .help, .man, .completion].contains(command)
  }

  @Test(arguments: commands)
  func aTerminalGetsNothingRaw(_ command: Command) throws {
    for text in Self.texts {
      let answer = Self.document(command.result, text).text
      for example in command.examples {
        guard let words = Self.words(of: example.line), !words.contains("--json"),
          !words.contains("--output")
        else { continue }
        let run = TestRun.onTerminal(answer)
        run.console.answers = ["y", "1"]
        _ = run.program.run(words)
        for shown in [run.console.text, run.console.notes] {
          #expect(Self.isHarmless(shown), "\(example.line): \(shown.debugDescription.prefix(300))")
        }
      }
    }
  }

  @Test(arguments: texts)
  func errorsHoldNothingRaw(_ text: String) {
    for code in ["failed", "unreachable", "scope-changed", "over-quota", "ambiguous"] {
      let error = APIError(code: code, message: text, hint: text)
      for line in [["status"], ["list", "P"], ["join", "-"], ["share", "P"], ["link", "f.css"]] {
        let run = TestRun.onTerminal(error: error)
        _ = run.program.run(line)
        #expect(Self.isHarmless(run.console.text) && Self.isHarmless(run.console.notes))
      }
    }
  }

  /// Whether a text has no control characters but line breaks and colors, and turns nothing around.
  static func isHarmless(_ text: String) -> Bool {
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        guard rest.popFirst() == "[" else { return false }
        rest = rest.drop { $0 == ";" || ("0"..."9").contains($0) }
        guard rest.popFirst() == "m" else { return false }
      } else if scalar != "\n", scalar.isControl || scalar.isBidirectional {
        return false
      }
    }
    return true
  }

  /// A document with a text in each place that may hold one.
  private static func document(_ schema: Schema, _ text: String) -> JSON {
    switch schema {
    case .text, .any: .string(text)
    case .word(let words): .string(words.first ?? text)
    case .integer: 3
    case .number: 0.5
    case .truth: true
    case .null(let other): document(other, text)
    case .named(_, let other): document(other, text)
    case .list(let element): .array([document(element, text), document(element, text)])
    case .either(let choices): choices.first.map { document($0, text) } ?? .null
    case .map(let value): .object(JSONObject([.init(text, document(value, text))]))
    case .object(let members, _):
      // An answer that always has more to come would be asked for it for ever.
      .object(
        JSONObject(
          members.map { .init($0.name, $0.name == "more" ? false : document($0.schema, text)) }
        )
      )
    }
  }

  /// The words of an example that runs hued; nil where it needs a shell.
  private static func words(of line: String) -> [String]? {
    guard line.hasPrefix("hued "), !line.contains(where: "|>$(\"".contains) else { return nil }
    var words: [String] = []
    var isQuoted = false
    var word = ""
    for character in line.dropFirst(5) {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return (words + [word]).filter { !$0.isEmpty }
  }
}
