import PaletteCommands

/// The completion script for zsh.
enum ZshCompletion {
  static var script: String {
    var script = "#compdef hued\n# zsh completion for hued; made by 'hued completion zsh'\n\n"
    script += functions
    script += "_hued() {\n  local context state state_descr line home\n  typeset -A opt_args\n"
    script +=
      "  local -a global=(\n" + CommandTable.globalFlags.map(specification).joined() + "  )\n"
    script +=
      "  _arguments -C $global '(-)1:command:->command' '(-)*::argument:->argument' && return\n"
    script +=
      "  home=${(Q)opt_args[--home]}\n  if [[ $state == command ]]; then\n    local -a commands=(\n"
    for command in CommandTable.commands {
      script += "      \(quoted("\(command.name):\(command.summary)"))\n"
    }
    script += "    )\n    _describe -t commands command commands\n    return\n  fi\n"
    script += "  case $words[1] in\n" + CommandTable.commands.map(section).joined()
    script += "  esac\n}\n\n"
    script += "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _hued \"$@\"\n"
    script += "else\n  compdef _hued hued\nfi\n"
    return script
  }

  private static func section(_ command: Command) -> String {
    var text = "    \(command.name))\n      _arguments $global \\\n"
    for flag in command.flags {
      let rivals = command.choices.first { $0.flags.contains(flag.name) }?.flags ?? []
      text += "    " + specification(flag, excluding: rivals).dropLast() + " \\\n"
    }
    for (index, positional) in command.positionals.enumerated() {
      let place =
        switch positional.need {
        case .once: "\(index + 1):"
        case .optional: "\(index + 1)::"
        case .repeated, .any: "*:"
        }
      let message = escaped(positional.label.lowercased())
      text += "        \(quoted(place + message + ":" + action(positional.content))) \\\n"
    }
    return text + "        && return\n      ;;\n"
  }

  private static func specification(_ flag: Flag) -> String {
    specification(flag, excluding: [])
  }

  private static func specification(_ flag: Flag, excluding rivals: [String]) -> String {
    let exclusion =
      rivals.isEmpty ? "" : "(" + rivals.map { "--\($0)" }.joined(separator: " ") + ")"
    let explanation = "[\(escaped(flag.explanation))]"
    var name = "--\(flag.name)"
    // Its value may also stand in the same word.
    if case .required = flag.value { name += "=" }
    let value =
      switch flag.value {
      case .none: ""
      case .required(let label): ":\(label.lowercased()):" + action(flag.content)
      case .optional(let label): "::\(label.lowercased()):" + action(flag.content)
      }
    return "    \(quoted("\(exclusion)\(name)\(explanation)\(value)"))\n"
  }

  private static func action(_ content: Content) -> String {
    switch content {
    case .palette: "_hued_palettes"
    case .color: "_hued_colors"
    case .readFormat: "_hued_read_formats"
    case .writtenFormat: "_hued_written_formats"
    case .member: "_hued_members"
    case .peer: "_hued_peers"
    case .file, .path: "_files"
    case .folder: "_files -/"
    case .word, .suggestion, .command:
      "(\(Completion.words(for: content).joined(separator: " ")))"
    case .text, .css, .secret, .position, .count, .percent, .seconds: " "
    }
  }

  private static func escaped(_ text: String) -> String {
    text.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  private static let functions =
    """
    # Asks hued about the folder that was typed, if one was.
    __hued_ask() {
      local folder=${(Q)opt_args[--home]:-$home}
      hued ${folder:+--home} ${folder:+${folder/#\\~\\//$HOME/}} "$@" 2>/dev/null
    }


    """ + offering(.palette, as: "palettes") + offering(.readFormat, as: "read_formats")
    + offering(.writtenFormat, as: "written_formats") + offering(.member, as: "members")
    + offering(.peer, as: "peers") + """

      _hued_colors() {
        local -a names=("${(@f)$(__hued_ask list "${(Q)line[1]:-${(Q)words[2]}}" | cut -f3)}")
        compadd -a names
      }


      """

  /// A function that offers the lines of a command.
  private static func offering(_ content: Content, as name: String) -> String {
    """
    _hued_\(name)() {
      local -a names=("${(@f)$(\(Completion.lines(for: content) ?? ""))}")
      compadd -a names
    }


    """
  }
}
