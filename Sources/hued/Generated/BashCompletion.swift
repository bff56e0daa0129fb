import PaletteCommands

/// The completion script for bash.
enum BashCompletion {
  static var script: String {
    var script = "# bash completion for hued; made by 'hued completion bash'\n\n" + functions
    script += "_hued() {\n" + scan
    script += "  case $previous in\n"
    let valued = CommandTable.globalFlags.filter { $0.value != .none }
    for flag in valued {
      script += "    --\(flag.name)) \(action(flag.content)); return ;;\n"
    }
    script += "  esac\n"
    script += "  case $command:$previous in\n" + commandFlagValues + "  esac\n"
    script += "  if [[ $current == -* && -z $ended ]]; then\n"
    script += "    __hued_words '\(names(CommandTable.globalFlags))' \"$flags\"\n    return\n  fi\n"
    script += "  case $command:${#operands[@]} in\n"
    script +=
      "    :*) __hued_words '\(CommandTable.commands.map(\.name).joined(separator: " "))' ;;\n"
    script += positionals
    script += "  esac\n}\n\ncomplete -F _hued hued\n"
    return script
  }

  /// The action that completes one kind of argument; the palette is the first operand, or the
  /// flag's.
  private static func action(_ content: Content) -> String {
    switch content {
    case .palette, .readFormat, .writtenFormat, .member, .peer:
      "__hued_lines \"$(\(Completion.lines(for: content) ?? ""))\""
    case .color: "__hued_lines \"$(__hued_ask list \"${operands[0]}\" | cut -f3)\""
    case .file, .path: "__hued_files -f"
    case .folder: "__hued_files -d"
    case .word, .suggestion, .command:
      "__hued_words '\(Completion.words(for: content).joined(separator: " "))'"
    case .text, .css, .secret, .position, .count, .percent, .seconds: ":"
    }
  }

  private static func names(_ flags: [Flag]) -> String {
    flags.map { "--\($0.name)" }.joined(separator: " ")
  }

  private static var commandFlagValues: String {
    CommandTable.commands.flatMap { command in
      command.flags.compactMap { flag in
        guard case .required = flag.value else { return nil }
        return "    \(command.name):--\(flag.name)) \(action(flag.content)); return ;;\n"
      }
    }.joined()
  }

  private static var positionals: String {
    CommandTable.commands.flatMap { command in
      command.positionals.enumerated().map { index, positional in
        let place = positional.need.isList ? "*" : String(index)
        return "    \(command.name):\(place)) \(action(positional.content)) ;;\n"
      }
    }.joined()
  }

  private static let functions = #"""
    # Asks hued about the folder that was typed, if one was.
    __hued_ask() {
      hued "${home[@]}" "$@" 2>/dev/null
    }

    # Sets `words` to those before the cursor, in one piece again where bash took them apart at a colon.
    __hued_join() {
      local rest=$COMP_LINE word gap index
      for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        gap=${rest%%[![:space:]]*}
        rest=${rest#"$gap"}
        rest=${rest#"$word"}
        if [[ $index -gt 0 && -z $gap && ( $word == :* || ${words[-1]} == *: ) ]]; then
          words[-1]+=$word
        else
          words+=("$word")
        fi
      done
    }

    # Offers those of some words that begin as the current one does.
    __hued_words() {
      mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
    }

    # Offers whole lines, quoted where they hold spaces; the shell closes a quote that is open.
    __hued_lines() {
      local line quote= begin=$current
      [[ $current == [\"\']* ]] && quote=${current:0:1} begin=${current:1}
      [[ -z $quote ]] && begin=${begin//\\/}
      while IFS= read -r line; do
        [[ -n $line && $line == "$begin"* ]] || continue
        # The shell replaces what follows the last colon.
        [[ $current == "${COMP_WORDS[COMP_CWORD]}" ]] || line=${line#"${begin%"${begin##*:}"}"}
        case $quote in
          \') line=${line//\'/\'\\\'\'} ;;
          \") line=$(sed 's/[\\"$`]/\\&/g' <<<"$line") ;;
          *) line=$(printf '%q' "$line") ;;
        esac
        COMPREPLY+=("$line")
      done <<<"$1"
    }

    # Offers files or folders.
    __hued_files() {
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen "$1" -- "${current//\\/}")
    }


    """#

  /// Finds the command, the operands before the cursor, and what stands right before it.
  private static var scan: String {
    let valued = CommandTable.globalFlags + CommandTable.commands.flatMap(\.flags)
    let required = valued.compactMap { flag -> String? in
      guard case .required = flag.value else { return nil }
      return "--\(flag.name)"
    }
    let patterns = Set(required).sorted().joined(separator: "|")
    var text = #"""
        local -a words=() operands=() home=()
        __hued_join
        local last=$((${#words[@]} - 1)) current=${words[-1]}
        local previous= command= ended= flags= index word
        local marks=$'[\\\\"\']'
        COMPREPLY=()
        for ((index = 1; index < last; index++)); do
          word=${words[index]}
          previous=
          if [[ -n $ended ]]; then
            operands+=("$word")
          elif [[ $word == -- ]]; then
            ended=1
          elif [[ $word == -* ]]; then
            case $word in
              \#(patterns))
                previous=$word
                [[ ${words[index + 1]} == = ]] && ((index++))
                ((index + 1 < last)) && ((index++)) && previous=
                if [[ $word == --home && -z $previous ]]; then
                  word=${words[index]//$marks/}
                  home=(--home "${word/#\~\//$HOME/}")
                fi
                ;;
            esac
          elif [[ -z $command ]]; then
            command=$word
          else
            operands+=("${word//$marks/}")
          fi
        done
        [[ $current == = ]] && current=
        case $command in

      """#
    for command in CommandTable.commands where !command.flags.isEmpty {
      text += "    \(command.name)) flags='\(names(command.flags))' ;;\n"
    }
    return text + "  esac\n"
  }
}
