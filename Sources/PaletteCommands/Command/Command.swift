internal import PaletteFormats
package import PaletteJSON
internal import PaletteModel
internal import PaletteStore

/// A command: everything that is known of it, and what it does.
///
/// The command line, its help, completions and man page, the RPC API with its description, who may
/// call it, whether it shares a commit and whether peers get it: all of it is read from here.
package struct Command: Sendable {
  /// A line that can be typed, and what it does.
  package struct Example: Sendable {
    package let line: String
    package let meaning: String

    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The question that the command line asks before it carries the command out.
  package enum Question: Sendable {
    /// A question, with the value of a parameter in the middle.
    case about(String, before: String, after: String)
    /// Whether the file that a parameter names may be replaced.
    case replacing(String)
  }

  package let name: String
  package let group: CommandGroup
  package let effect: Effect
  /// The access that a call through a node needs; nil if no node answers it.
  package let access: Access?
  /// One sentence without a full stop, in the third person.
  package let summary: String
  /// Facts that a user needs beyond the summary, as paragraphs.
  package let details: [String]
  package let positionals: [Positional]
  package let flags: [Flag]
  package let choices: [Choice]
  package let examples: [Example]
  /// Names of the same thing elsewhere: never accepted, but suggested from.
  package let otherNames: [String]
  /// A remark for callers of the API alone.
  package let remark: String
  /// The parameters of the API.
  package let parameters: [Parameter]
  /// The shape of the answer.
  package let result: Schema
  /// The question to ask before.
  package let question: Question?
  /// True if its answer is the result that somebody wants, and not only the news that it is done.
  package let hasResult: Bool
  /// Makes the parameters of the API from the arguments of the command line.
  package private(set) var translate: (@Sendable (JSONObject) throws(APIError) -> JSONObject)?

  /// Does beforehand what of a call needs no library and may take long, in pieces that can be carried out
  /// one by one.
  package private(set) var prepare: (@Sendable (JSONObject) throws(APIError) -> [PreparedCall])?

  /// Makes the call that a node carries out in several turns; nil for what never takes long.
  private var makeCallInTurns: (@Sendable () -> PreparedCall)?

  private let body: @Sendable (LibraryCall) throws -> any Answer

  /// The amount that a call reads, and computes from that.
  enum Reading {
    /// Never much.
    case little
    /// As much as the palette has that it names.
    case palette
    /// Much, whatever it names.
    case much
  }

  /// The text in which people see the answer.
  package let view: AnswerView
  /// Respects in which it differs from most commands.
  package internal(set) var traits = CommandTraits()

  /// Creates a command that `run` carries out.
  ///
  /// Who may call it follows from its effect unless `access` says it; the parameters of the API are
  /// those of the command line unless `parameters` says them, and `more`, which only the API has.
  init<Result: Answer & JSONRepresentable>(
    _ name: String,
    _ group: CommandGroup,
    _ effect: Effect,
    view: AnswerView,
    summary: String,
    details: [String] = [],
    positionals: [Positional] = [],
    flags: [Flag] = [],
    choices: [Choice] = [],
    examples: [Example] = [],
    otherNames: [String] = [],
    remark: String = "",
    access: Access? = nil,
    isMethod: Bool = true,
    parameters: [Parameter]? = nil,
    more: [Parameter] = [],
    question: Question? = nil,
    hasResult: Bool? = nil,
    _ run: @escaping @Sendable (LibraryCall) throws -> Result
  ) {
    self.name = name
    self.group = group
    self.effect = effect
    self.access = isMethod ? access ?? effect.usualAccess : nil
    self.summary = summary
    self.details = details
    self.positionals = positionals
    self.flags = flags
    self.choices = choices
    self.examples = examples
    self.otherNames = otherNames
    self.remark = remark
    let needed = choices.filter { $0.isRequired && $0.flags.count == 1 }.flatMap(\.flags)
    let own =
      parameters ?? positionals.map(\.parameter)
      + flags.map { needed.contains($0.name) ? $0.parameter.required : $0.parameter }
    self.parameters = own + more + (effect.edits ? [.edit] : [])
    self.question = question
    self.hasResult = hasResult ?? !(effect.edits || effect == .alone)
    translate = nil
    self.view = view
    result = Result.schema
    body = run
  }

  /// Creates a command that is carried out elsewhere: by the program, or by a node for a connection.
  init(
    _ name: String,
    _ group: CommandGroup,
    _ effect: Effect,
    summary: String,
    details: [String] = [],
    positionals: [Positional] = [],
    flags: [Flag] = [],
    examples: [Example] = [],
    otherNames: [String] = [],
    parameters: [Parameter]? = nil,
    result: Schema = .any
  ) {
    self.name = name
    self.group = group
    self.effect = effect
    self.summary = summary
    self.details = details
    self.positionals = positionals
    self.flags = flags
    self.examples = examples
    self.otherNames = otherNames
    self.parameters = parameters ?? positionals.map(\.parameter) + flags.map(\.parameter)
    self.result = result
    access = effect.usualAccess
    choices = []
    remark = ""
    question = nil
    hasResult = true
    translate = nil
    view = .facts
    body = { _ in throw APIError(code: "bad-usage", message: "'\(name)' is not answered here") }
  }

  /// The same command, whose arguments on the command line are made into those of the API by `body`.
  func translating(
    _ body: @escaping @Sendable (JSONObject) throws(APIError) -> JSONObject
  ) -> Command {
    var copy = self
    copy.translate = body
    return copy
  }

  /// The same command, of which `body` does beforehand what needs no library.
  func preparing(
    _ body: @escaping @Sendable (JSONObject) throws(APIError) -> [PreparedCall]
  ) -> Command {
    var copy = self
    copy.prepare = body
    return copy
  }

  /// The same command, which a node carries out in several turns where it is about many colors.
  func planned<Result>(_ plan: EditPlan<Result>) -> Command { inTurns { LongEdit(plan) } }

  /// The same command, of which each call is such work where a node carries it out.
  func inTurns(_ work: @escaping @Sendable () -> some StepwiseWork) -> Command {
    var copy = self
    copy.makeCallInTurns = { PreparedCall(work(), indexes: [0], size: 1) }
    return copy
  }

  /// One call in several turns; nil for a command that is always carried out in one.
  package var callInTurns: PreparedCall? { makeCallInTurns?() }

  /// Carries the command out; an edit that the caller has made before is not made again.
  func answer(_ call: LibraryCall) throws -> any Answer {
    guard effect.edits, let edit = try call.parameters.optionalID("edit"),
      let store = try effect == .create ? call.library.creating() : call.library.editing()
    else { return try call.prepared?.advance(call) ?? answerAtOnce(call) }
    // What has begun has to come to its end, whatever else was called the same meanwhile.
    if call.prepared?.goesOn != true, let answer = try store.answer(toEdit: edit, by: call.author) {
      return ReceivedAnswer(answer.isEmpty ? Self.repeated : answer)
    }
    // The edit is made when its last step is: what ends before that is taken back.
    if let unfinished = try call.prepared?.advance(call) { return unfinished }
    return ReceivedAnswer(
      try store.remember(edit, by: call.author) { try answerAtOnce(call).bytes }
    )
  }

  private func answerAtOnce(_ call: LibraryCall) throws -> any Answer {
    if let answer = call.prepared?.answer { return answer }
    return try body(call)
  }

  /// The answer to an edit that was made before, if the first answer was too long to be kept.
  private static let repeated = Array(#"{"repeated":true}"#.utf8)

  /// True if every call that names a palette is about that one alone, so that a token of one palette may
  /// call it.
  package var isAboutOnePalette: Bool {
    parameters.first?.name == "palette" && (parameters[0].isRequired || traits.isAboutNamedPalette)
  }

  /// Returns whether the process that was asked carries a call out, also while a node runs.
  package func readsInOwnProcess(_ arguments: JSON) -> Bool {
    traits.isRunByCaller || checksOnly { arguments[$0] }
  }

  /// Returns whether a call reads all of a library or of a backup, and writes neither.
  package func checksOnly(_ argument: (String) -> JSON?) -> Bool {
    traits.checkingFlags.contains { argument($0)?.boolValue == true }
  }

  /// True for a call that only reads, but so much that a node carries it out beside its loop.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the call.
  ///   - count: Tells how many colors the palette has that an argument names; nil where there is none.
  /// - Returns: Whether it does.
  package func readsLong(_ arguments: JSONObject, count: (String) -> Int?) -> Bool {
    switch traits.amount {
    case .little: false
    case .palette: arguments["palette"]?.stringValue.flatMap(count) ?? 0 > Self.shortCount
    case .much: true
    }
  }

  /// The most colors of a palette that a node reads and writes down on its loop.
  private static let shortCount = 1_000

  /// True if a token of some palettes may call it without naming one.
  package var isWithinAnyScope: Bool { effect == .fact || traits.isWithinAnyScope }

  /// Describes the first argument that is missing, unknown or of another type; nil if there is
  /// none.
  package func problem(with arguments: JSONObject) -> String? {
    for parameter in parameters {
      guard let value = arguments[parameter.name], !value.isNull else {
        guard !parameter.isRequired else {
          return "'\(name)' needs the parameter '\(parameter.name)'"
        }
        continue
      }
      guard parameter.schema.accepts(value) else {
        return "'\(parameter.name)' must be \(parameter.schema.noun)"
      }
    }
    let extra = arguments.members.first { member in
      !parameters.contains { $0.name.hasSameBytes(as: member.key) }
    }
    return extra.map { "'\(name)' takes no parameter '\($0.key)'" }
  }

  /// The line that `--help` begins with, such as `hued drop PALETTE`.
  package var usage: String {
    var parts = ["hued", name] + positionals.map(\.usage)
    var seen: Set<String> = []
    for flag in flags where !seen.contains(flag.name) {
      let choice = choices.first { $0.flags.contains(flag.name) }
      let members = choice.map { choice in flags.filter { choice.flags.contains($0.name) } }
      seen.formUnion(members?.map(\.name) ?? [])
      let text = (members ?? [flag]).map(\.usage).joined(separator: " | ")
      let isOne = members?.count == 1
      parts.append(choice?.isRequired != true ? "[\(text)]" : isOne ? text : "(\(text))")
    }
    return parts.joined(separator: " ")
  }
}

extension Command: Hashable {
  /// Commands are told by their names.
  package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The headings under which `hued help` and the man page list the commands.
package enum CommandGroup: String, CaseIterable, Sendable {
  case palettes = "Palettes"
  case colors = "Colors"
  case time = "Time and conflicts"
  case files = "Files"
  case facts = "Color facts"
  case node = "Node"
  case sharing = "Sharing"
  case care = "Care"
}

/// The access that a call through a node needs; each includes those before it.
package enum Access: Int, Comparable, Sendable {
  case viewer
  case editor
  case owner
  /// Only through the Unix socket.
  case local

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
