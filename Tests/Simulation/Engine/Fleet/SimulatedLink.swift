import PaletteFileLinks
import PaletteModel

/// A link that a running node follows.
final class SimulatedLink {
  var session: LinkSession
  let file: SimulatedFile
  /// Tells it from others of the same file.
  let number: Int
  /// Since when it is followed, in milliseconds.
  let start: Int64
  /// The number of the wake that counts, and whether one is on its way.
  var wake = 0
  var isWaiting = false
  /// The number of jobs that are on their way.
  var jobs = 0
  /// The colors of the palette as the last look saw it.
  var shown: [RecordID]?
  /// The file as the last look saw it.
  var seen: Sight?

  /// A file as a look saw it.
  struct Sight {
    let version: Int64
    let condition: SimulatedFile.Condition

    init(_ file: SimulatedFile) {
      version = file.version
      condition = file.condition
    }
  }

  init(_ session: LinkSession, _ file: SimulatedFile, number: Int, at time: Int64) {
    self.number = number
    self.session = session
    self.file = file
    start = time
  }

  /// True if nothing is on its way.
  var isAtRest: Bool { !isWaiting && jobs == 0 && session.isAtRest }
}

/// The next event of a machine's file.
struct FileEvent {
  enum Kind {
    /// A wake of a link.
    case due(Int)
    /// The thread of the node gets to something.
    case work(LinkSession.Action)
    /// The node hears of it.
    case tell(LinkSession.Event)
    /// Another program writes a piece, and waits before the next.
    case piece([UInt8], Int, SaveStyle)
  }

  let machine: Int
  let file: PaletteFile
  /// The number of the link that it is about; nil where it is about none.
  let link: Int?
  let kind: Kind
}
