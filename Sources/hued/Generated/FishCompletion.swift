import PaletteCommands

/// The completion script for fish.
enum FishCompletion {
  static var script: String {
    var script = "# fish completion for hued; made by 'hued completion fish'\n\n" + functions
    script += "complete -c hued -f\n"
    for flag in CommandTable.globalFlags { script += line(for: flag, condition: nil) }
    for command in CommandTable.commands {
      script += "\n" + section(command)
    }
    return script
  }

  private static func section(_ command: Command) -> String {
    var text =
      "complete -c hued -n '__hued_needs_command' -a \(command.name) -d \(quoted(command.summary))\n"
    for flag in command.flags {
      text += line(for: flag, condition: "__hued_operand \(command.name)")
    }
    for (index, positional) in command.positionals.enumerated() {
      let place = positional.need.isList ? "" : " \(index)"
      let condition = "__hued_operand \(command.name)\(place)"
      guard let action = action(positional.content) else { continue }
      text += "complete -c hued -n '\(condition)' \(action)\n"
    }
    return text
  }

  private static func line(for flag: Flag, condition: String?) -> String {
    var text = "complete -c hued"
    if let condition { text += " -n '\(condition)'" }
    text += " -l \(flag.name) -d \(quoted(flag.explanation))"
    if case .required = flag.value {
      // With -r alone fish offers files beside the words.
      let isFile = [.file, .path].contains(flag.content)
      text += (isFile ? " -r " : " -x ") + (action(flag.content) ?? "")
    }
    return text + "\n"
  }

  private static func action(_ content: Content) -> String? {
    switch content {
    case .palette, .readFormat, .writtenFormat, .member, .peer:
      "-a " + quoted("(\(Completion.lines(for: content) ?? ""))")
    case .color: "-a '(__hued_colors)'"
    case .file, .path: "-F"
    case .folder: "-a '(__fish_complete_directories)'"
    case .word, .suggestion, .command:
      "-a \(quoted(Completion.words(for: content).joined(separator: " ")))"
    case .text, .css, .secret, .position, .count, .percent, .seconds: nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }

  /// Prints the command and its operands before the cursor, then the two conditions.
  private static var functions: String {
    let flags = CommandTable.globalFlags + CommandTable.commands.flatMap(\.flags)
    let required = flags.compactMap { flag -> String? in
      guard case .required = flag.value else { return nil }
      return "--\(flag.name)"
    }
    let names = Set(required).sorted().joined(separator: " ")
    return """
      function __hued_words
          set -l skip
          for word in (commandline -opc)[2..-1]
              if set -q skip[1]
                  set -e skip
              else if contains -- $word \(names)
                  set skip 1
              else if not string match -q -- '-*' $word
                  echo $word
              end
          end
      end

      # Asks hued about the folder that was typed, if one was.
      function __hued_ask
          set -l words (commandline -opc)
          set -l home
          for index in (seq 2 (count $words))
              if string match -q -- '--home=*' $words[$index]
                  set home (string replace -- --home= '' $words[$index])
              else if test $words[$index] = --home; and test $index -lt (count $words)
                  set home $words[(math $index + 1)]
              end
          end
          if set -q home[1]
              set home --home (string replace -r '^~/' "$HOME/" -- $home)
          end
          hued $home $argv 2>/dev/null
      end

      function __hued_needs_command
          test (count (__hued_words)) -eq 0
      end

      function __hued_operand
          set -l words (__hued_words)
          test "$words[1]" = $argv[1]; or return 1
          test -z "$argv[2]"; or test (count $words) -eq (math $argv[2] + 1)
      end

      function __hued_colors
          set -l words (__hued_words)
          __hued_ask list "$words[2]" | cut -f3
      end


      """
  }
}
