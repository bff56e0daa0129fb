import PaletteCommands
import PaletteFleet
import PaletteJSON
import PaletteMerge
import PaletteModel
import PalettePlatform
import PaletteProgram

/// One run of `hued-fleet`, from the arguments to the exit code.
struct FleetProgram {
  /// The variables of the environment.
  let variables: [String: String]
  /// True if somebody can be asked.
  let asks: Bool
  /// True if errors and the log are read by a person.
  let isErrorTerminal: Bool
  /// True if the output is read by a person.
  let isOutputTerminal: Bool

  /// The result of a command.
  private struct Answer {
    let json: JSON
    let text: String
    var exitCode = ExitCode.done
  }

  /// Carries out the arguments behind the name of the program.
  func run(_ words: [String]) -> ExitCode {
    let report = ErrorReport(
      asJSON: words.contains("--json"),
      isTerminal: isErrorTerminal,
      program: "hued-fleet"
    )
    do {
      let arguments = try FleetArguments(words)
      let answer = try answer(arguments)
      let text = arguments.isSet("json") ? answer.json.text + "\n" : answer.text
      guard Platform.writeAll(text.utf8, to: STDOUT_FILENO) || errno == EPIPE else {
        throw APIError(
          code: "failed",
          message: "the result cannot be written: \(Platform.failureReason)"
        )
      }
      return answer.exitCode
    } catch {
      let error = Self.apiError(error)
      _ = Platform.writeAll(report.text(error).utf8, to: STDERR_FILENO)
      return ExitCode(errorCode: error.code)
    }
  }

  private func answer(_ arguments: FleetArguments) throws -> Answer {
    switch arguments.action {
    case .help(let verb):
      let text = FleetHelp.text(for: verb)
      return Answer(json: ["help": JSON(text)], text: text)
    case .version:
      let version = Release.version
      return Answer(json: ["version": JSON(version)], text: "hued-fleet \(version)\n")
    case .run(let verb): return try answer(verb, arguments)
    }
  }

  private func answer(_ verb: FleetVerb, _ arguments: FleetArguments) throws -> Answer {
    let names = arguments.positionals
    switch verb {
    case .man: return Answer(json: ["man": JSON(FleetManPage.text)], text: FleetManPage.text)
    case .completion:
      let text = try FleetCompletion.text(for: names[0])
      return Answer(json: ["completion": JSON(text)], text: text)
    case .serve:
      let serving = FleetServing(
        arguments: arguments,
        address: try address(arguments),
        variables: variables,
        isErrorTerminal: isErrorTerminal
      )
      return Answer(json: .null, text: "", exitCode: try serving.run())
    case .new: return Self.answer(try fleet(arguments).makeLibrary(named: names[0]))
    case .share:
      return Self.answer(try fleet(arguments).share(names[0], Self.parameters(arguments)))
    case .list: return Self.answer(try fleet(arguments).libraries(), isTable: isOutputTerminal)
    case .hubs: return Self.answer(try fleet(arguments).hubs(), isTable: isOutputTerminal)
    case .import:
      let home = Machine.absolute(names[0])
      let made = try fleet(arguments).importLibrary(from: home, as: names[1])
      return Self.answer(made.library, code: made.code)
    case .export:
      let home = Machine.absolute(names[1])
      return Self.answer(try fleet(arguments).exportLibrary(names[0], to: home), code: nil)
    case .drop:
      try confirm(arguments)
      let id = try fleet(arguments).drop(names[0])
      return Answer(
        json: ["id": JSON("\(id)"), "name": JSON(names[0])],
        text: "\(names[0]) is gone\n"
      )
    }
  }

  private func address(_ arguments: FleetArguments) throws -> PostgreSQLAddress {
    let text = arguments["database"] ?? variables["HUED_DATABASE"] ?? Machine.credential("database")
    return try PostgreSQLAddress(text ?? "")
  }

  /// The libraries, once the database answers.
  private func fleet(_ arguments: FleetArguments) throws -> FleetOperator {
    let address = try address(arguments)
    return try FleetOperator(
      on: Machine.name,
      log: { PostgreSQLLog(address) },
      onWait: { library in
        guard isErrorTerminal else { return }
        let note = "Waiting for the hub that serves \(library) to let go of it ...\n"
        _ = Platform.writeAll(note.utf8, to: STDERR_FILENO)
      }
    )
  }

  private func confirm(_ arguments: FleetArguments) throws {
    guard !arguments.isSet("yes") else { return }
    let name = arguments.positionals[0]
    guard asks else {
      throw APIError(
        code: "needs-confirmation",
        message: "dropping \(name) needs --yes where nobody can be asked"
      )
    }
    let question = "Remove \(name) with all its palettes, for everybody? [y/N] "
    _ = Platform.writeAll(question.utf8, to: STDERR_FILENO)
    guard ["y", "yes"].contains(readLine()?.lowercased()) else {
      throw APIError(code: "not-removed", message: "\(name) stays")
    }
  }

  private static func parameters(_ arguments: FleetArguments) -> [String: JSON] {
    var parameters: [String: JSON] = [:]
    for flag in ["role", "name", "expires"] {
      parameters[flag] = arguments[flag].map { JSON($0) }
    }
    return parameters
  }

  // MARK: Answers

  private static func answer(_ shared: FleetOperator.Shared) -> Answer {
    let code = shared.code.map { JSON($0) } ?? .null
    let text =
      shared.code.map { $0 + "\n" }
      ?? "\(shared.name) is there; no hub lives, so there is no code yet\n"
      + "hint: run 'hued-fleet serve', then 'hued-fleet share \(shared.name)'\n"
    return Answer(
      json: ["id": JSON("\(shared.id)"), "name": JSON(shared.name), "code": code],
      text: text
    )
  }

  private static func answer(_ library: LibraryTransfer.Carried, code: String?) -> Answer {
    let counts = [
      (library.palettes, "palette"), (library.colors, "color"), (library.members, "member"),
    ].map { count, word in "\(count) \(word)\(count == 1 ? "" : "s")" }
    return Answer(
      json: [
        "id": JSON("\(library.id)"), "name": JSON(library.name),
        "code": code.map { JSON($0) } ?? .null,
        "palettes": JSON(library.palettes), "colors": JSON(library.colors),
        "members": JSON(library.members),
      ],
      text: counts.joined(separator: ", ") + "\n" + (code.map { $0 + "\n" } ?? "")
    )
  }

  private static func answer(_ libraries: [SharedLibrary], isTable: Bool) -> Answer {
    let owner = { (library: SharedLibrary) in
      library.hub.flatMap { $0.isDead || $0.id.isCommand ? nil : $0.name }
    }
    let documents = libraries.map { library -> JSON in
      [
        "id": JSON("\(library.id)"), "name": JSON(library.name),
        "owner": owner(library).map { JSON($0) } ?? .null,
        "epoch": .integer(library.state.epoch), "head": .integer(library.state.head),
        "bytes": .integer(library.bytes),
        "image": library.state.image.map { .integer($0.number) } ?? .null,
      ]
    }
    let rows = libraries.map { library in
      [
        library.name, owner(library) ?? "-", "\(library.state.head)", "\(library.bytes)",
        "\(library.id)",
      ]
    }
    return Answer(
      json: ["libraries": JSON(documents)],
      text: table(["NAME", "OWNER", "ENTRIES", "BYTES", "ID"], rows, isTable)
    )
  }

  private static func answer(_ hubs: [LogHub], isTable: Bool) -> Answer {
    let seen = { (hub: LogHub) in "\(Moment(milliseconds: hub.seen))" }
    let documents = hubs.map { hub -> JSON in
      [
        "name": JSON(hub.name), "url": JSON(hub.url), "seen": JSON(seen(hub)),
        "libraries": JSON(hub.libraries),
      ]
    }
    let rows = hubs.map { [$0.name, $0.url, seen($0), "\($0.libraries)"] }
    return Answer(
      json: ["hubs": JSON(documents)],
      text: table(["NAME", "URL", "SEEN", "LIBRARIES"], rows, isTable)
    )
  }

  /// Columns with a head for people; the same between tabs, without it, for programs.
  private static func table(_ head: [String], _ rows: [[String]], _ isTable: Bool) -> String {
    let rows = rows.map { $0.map { SafeText.line($0) } }
    guard isTable else { return rows.map { $0.joined(separator: "\t") + "\n" }.joined() }
    guard !rows.isEmpty else { return "none\n" }
    let all = [head] + rows
    let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return cells.joined(separator: "  ").trimmed + "\n"
    }.joined()
  }

  // MARK: Errors

  /// An error of whatever kind as the command line tells it.
  static func apiError(_ error: any Error) -> APIError {
    guard let error = error as? SharedLogError else { return APIError(any: error) }
    let (code, hint): (String, String?) =
      switch error.reason {
      case .forbidden: ("not-allowed", nil)
      case .full: ("disk-full", nil)
      case .pooler:
        ("storage", "connect to PostgreSQL itself, or to a pooler of sessions")
      case .newerSchema, .oldServer: ("incompatible", nil)
      case .noDatabase: ("not-found", "create it with 'createdb'")
      case .badAddress:
        ("bad-usage", "--database takes what libpq reads: postgresql://USER@HOST/NAME")
      case .exists: ("exists", nil)
      case .away, .busy, .conflict, .readOnly, .fenced, .other: ("unreachable", nil)
      }
    return APIError(code: code, message: "the database: \(error.message)", hint: hint)
  }
}
