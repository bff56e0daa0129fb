import PaletteCommands

/// The completion of shells, from the table of commands.
enum FleetCompletion {
  private static let roles = "owner relay editor viewer"
  private static let named: [FleetVerb] = [.share, .export, .drop]

  /// The script for a shell.
  static func text(for shell: String) throws(APIError) -> String {
    switch shell {
    case "bash": return bash
    case "zsh": return zsh
    case "fish": return fish
    default: throw FleetArguments.usage("SHELL is bash, zsh or fish, not '\(shell)'", .completion)
    }
  }

  private static func flags(of verb: FleetVerb?) -> [FleetVerb.Flag] {
    (verb?.flags ?? []) + FleetVerb.common
  }

  private static var bash: String {
    let verbs = FleetVerb.allCases.map(\.rawValue)
    let cases = FleetVerb.allCases.map { verb in
      let words = flags(of: verb).map { "--" + $0.name }.joined(separator: " ")
      let names = named.contains(verb) ? " $(hued-fleet list 2>/dev/null | cut -f1)" : ""
      let shells = verb == .completion ? " bash zsh fish" : ""
      return "    \(verb.rawValue)) words=\"\(words)\(names)\(shells)\" ;;"
    }
    return """
      _hued_fleet() {
        local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= word words
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in
          \(verbs.joined(separator: "|"))) verb=$word; break ;;
          esac
        done
        case $before in
          --role) COMPREPLY=($(compgen -W "\(roles)" -- "$current")); return ;;
          --cache|import) COMPREPLY=($(compgen -d -- "$current")); return ;;
          --tls-cert|--tls-key) COMPREPLY=($(compgen -f -- "$current")); return ;;
        esac
        case $verb in
      \(cases.joined(separator: "\n"))
          *) words="\(verbs.joined(separator: " ")) help --version" ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      }
      complete -F _hued_fleet hued-fleet

      """
  }

  private static var zsh: String {
    let verbs = FleetVerb.allCases.map { "'\($0.rawValue):\(quoted($0.summary))'" }
    let cases = FleetVerb.allCases.map { verb in
      let flags = flags(of: verb).map { flag in
        let value =
          flag.value.map { ":\($0):" + (flag.name == "role" ? "(\(roles))" : "_files") } ?? ""
        return "'--\(flag.name)[\(quoted(flag.summary))]\(value)'"
      }
      let names =
        named.contains(verb)
        ? " '*:name:($(hued-fleet list 2>/dev/null | cut -f1))'" : " '*:argument:_files'"
      return "  \(verb.rawValue)) _arguments \(flags.joined(separator: " "))\(names) ;;"
    }
    return """
      #compdef hued-fleet
      local -a verbs
      verbs=(\(verbs.joined(separator: " ")))
      if (( CURRENT == 2 )); then
        _describe command verbs
        return
      fi
      local verb=$words[2]
      shift words
      (( CURRENT-- ))
      case $verb in
      \(cases.joined(separator: "\n"))
      esac

      """
  }

  private static var fish: String {
    var lines = ["complete -c hued-fleet -f"]
    let verbs = FleetVerb.allCases.map(\.rawValue).joined(separator: " ")
    for verb in FleetVerb.allCases {
      let none = "not __fish_seen_subcommand_from \(verbs)"
      lines.append(
        "complete -c hued-fleet -n '\(none)' -a \(verb.rawValue) -d '\(quoted(verb.summary))'"
      )
      let here = "-n '__fish_seen_subcommand_from \(verb.rawValue)'"
      for flag in flags(of: verb) {
        let value = flag.value == nil ? "" : flag.name == "role" ? " -x -a '\(roles)'" : " -r"
        lines.append(
          "complete -c hued-fleet \(here) -l \(flag.name)\(value) -d '\(quoted(flag.summary))'"
        )
      }
      if named.contains(verb) {
        lines.append("complete -c hued-fleet \(here) -a '(hued-fleet list 2>/dev/null | cut -f1)'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text that can stand in single quotes, and in the brackets of zsh.
  private static func quoted(_ text: String) -> String {
    text.replacing("'", with: "").replacing("[", with: "(").replacing("]", with: ")").replacing(
      ":",
      with: ","
    )
  }
}
