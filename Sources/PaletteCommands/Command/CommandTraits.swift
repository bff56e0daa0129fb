package import PaletteJSON
package import PaletteMerge

/// Respects in which some commands differ from the others; each has the value that most commands have.
package struct CommandTraits: Sendable {
  /// The part that the program carries out itself.
  package internal(set) var programPart: ProgramPart?
  /// The part that whoever opens the library carries out, with a node or as one.
  package internal(set) var clientPart: ClientPart?
  /// The words for the work while it goes on.
  package internal(set) var work = "Working"
  /// True if long output is read with a pager.
  package internal(set) var isPaged = false
  /// True if it goes on until somebody ends it, so that no setting limits its time.
  package internal(set) var runsOn = false
  /// True if it is a way to find out what is wrong with the settings, and so works with wrong ones.
  package internal(set) var worksWithoutSettings = false
  /// True if the lines about several colors are set apart by an empty one.
  package internal(set) var separatesLines = false
  /// The error code that an answer amounts to; nil for an answer that tells of no failure.
  package internal(set) var failure: (@Sendable (JSON) -> String?)?
  /// A hint for a call with exactly that many operands, where one more is needed.
  package internal(set) var hintIfShort: (operands: Int, hint: String)?

  /// True if a call reads files, and so much that a node should not be kept from its work by it.
  package internal(set) var isRunByCaller = false
  /// The flags that make a call one that reads all of a library or of a backup, and writes neither.
  var checkingFlags: [String] = []
  /// True if no call may be carried out while a node has the library open.
  package internal(set) var needsNoNode = false
  /// The earliest time about which a call asks, in milliseconds since 1970, given the present.
  ///
  /// Nil for a command that never asks about its palette's past; its answer is nil for a call that does not, or
  /// whose argument is wrong.
  package internal(set) var past: (@Sendable (Parameters, Moment) -> Int64?)?

  /// The amount that a call reads, and computes from that.
  var amount = Command.Reading.little
  /// The parameters of which one may be -, for each color of the standard input.
  package internal(set) var lineParameters: [String] = []
  /// True if the command line does not have the command.
  var isOfAPIAlone = false
  /// True if a token of some palettes may call it without naming one: its answer tells nothing of a
  /// library, or only of the caller and what the caller sees.
  var isWithinAnyScope = false
  /// True if a call that names a palette is about that one alone, though it need not name one.
  var isAboutNamedPalette = false
  /// The way to the same for a library of a fleet, where the command has nothing to do; nil where it has.
  package internal(set) var wayInFleets: String?
  /// The event and the words for the node's log; nil for a command that is not logged.
  package internal(set) var logged: (event: String, text: String)?
  /// The effect on others that a node has to see to afterwards.
  package internal(set) var consequence: Consequence?

  /// A part that the program carries out itself: with a terminal, with files, or with a question.
  package enum ProgramPart: Sendable {
    case completion, man, help
    case serve, watch, edit
    case importing, exporting, picking
    case palettes, status, history
    case sharing
    /// Adds the colors of the standard input as one edit, where the value is -.
    case addingLines
    /// Asks which value stays, where none is given.
    case resolving
  }

  /// A part that whoever opens the library carries out.
  package enum ClientPart: Sendable {
    /// Waits until a peer has been reached and everything exchanged with it.
    case joining, syncing
    /// Waits a moment for a peer that is to hear of it.
    case leaving
    /// Finds out the format of a file, and compares it once where no node runs.
    case linking
    /// Looks whether what guests change can go on to peers.
    case sharing
  }

  /// An effect on others.
  package enum Consequence: Sendable {
    /// Somebody may no longer do what connections of theirs could do.
    case accessTaken
    /// The history became shorter.
    case historyCompacted
  }
}

extension Command {
  /// The same command with another trait.
  func with<Value: Sendable>(
    _ trait: WritableKeyPath<CommandTraits, Value>,
    _ value: Value
  ) -> Command {
    var copy = self
    copy.traits[keyPath: trait] = value
    return copy
  }

  /// The same command with a trait that most lack.
  func with(_ trait: WritableKeyPath<CommandTraits, Bool>) -> Command { with(trait, true) }

  /// The same command, answered for each color of the standard input where one of these parameters is -.
  func forEachLine(_ parameters: String...) -> Command { with(\.lineParameters, parameters) }

  /// The same command, which the command line does not have.
  var ofAPIAlone: Command { with(\.isOfAPIAlone) }

  /// The same command, which a library of a fleet does not have.
  ///
  /// - Parameter way: What to do there instead, for people.
  /// - Returns: The command.
  func notInFleets(_ way: String) -> Command { with(\.wayInFleets, way) }

  /// The same command, which may read so much that a node carries it out beside its loop.
  func reading(_ amount: Reading) -> Command {
    // Nothing can be written there.
    assert(effect.onlyReads)
    return with(\.amount, amount)
  }

  /// The same command, which a node's log tells of.
  func logged(as event: String, _ text: String) -> Command { with(\.logged, (event, text)) }

  /// The same command, whose answer amounts to a failure where `code` finds one.
  func failing(_ code: @escaping @Sendable (JSON) -> String?) -> Command { with(\.failure, code) }

  /// The same command, which asks about the past from the time that `past` finds in a call.
  func asking(_ past: @escaping @Sendable (Parameters, Moment) -> Int64?) -> Command {
    with(\.past, past)
  }
}
