import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore

/// One simulated machine: its folder, disk and clock, and the node that runs on it, if one does.
final class Machine {
  let index: Int
  let name: String
  let folder: LibraryFolder
  let disk: SimulatedDisk
  /// True if anything is ever to happen here.
  var isPresent = false
  /// The error of the clock.
  var skewMilliseconds: Int64 = 0
  /// True if the machine runs without a node, so that commands open the library themselves.
  var isIdle = false
  var store: ChangeStore?
  var core: NodeCore?
  /// The number of times that a node started here.
  var starts = 0
  /// The protocol versions that the node offers and takes.
  var versions: [UInt64] = [1]
  var slowUntil: Int64 = 0
  var slowDiskUntil: Int64 = 0
  var backup: String?
  var backups = 0
  /// Set when the power is to go, and for how long.
  var backAfterMilliseconds: Int64 = 2_000
  /// The last image of the disk, and whether the disk was ever put back to one.
  var image: String?
  var wasRolledBack = false
  /// Returns whether a node id may have been taken in the middle of an action, because it came out
  /// that the former one was used since the image of the disk.
  func isBecoming(_ node: NodeID) -> Bool {
    wasRolledBack && store?.presentNode(of: actingAuthor) == node
  }
  var isFlushScheduled = false
  /// True if its folder was copied to another machine, or from one.
  var hasCopies = false
  /// True if its library was replaced by a backup.
  var hasRecovered = false
  /// The time at which each change was committed here, by the clock here.
  var commitMilliseconds: [PaletteID: [Dot: Int64]] = [:]
  /// The changes that the present user action committed.
  var made: [(bytes: [UInt8], change: Change)] = []
  var isActing = false
  /// The author that acts.
  var actingAuthor = AuthorID.library
  /// The node id that the author had before.
  var actingNode: NodeID?
  /// Actions that failed, whose changes may yet be found on the disk after a crash.
  var attempts: [PaletteID: Observation] = [:]
  func attempt(_ observation: Observation) {
    attempts[observation.palette]?.join(observation)
    if attempts[observation.palette] == nil { attempts[observation.palette] = observation }
  }
  /// The palette files here, and the links that a running node follows.
  var files: [PaletteFile: SimulatedFile] = [:]
  var links: [PaletteFile: SimulatedLink] = [:]
  var sortedFiles: [SimulatedFile] { files.values.sorted { $0.file.path < $1.file.path } }
  /// The frontier of everything committed here.
  var held: [PaletteID: [NodeID: UInt32]] = [:]
  /// The violation that a callback of the store found.
  var violation: Violation?

  /// The author and the palette of the actions.
  struct WayKey: Hashable {
    let palette: PaletteID
    let author: AuthorID
  }

  /// The states before and after each of the actions that one person took in a row in a palette.
  struct Way {
    /// A color as it was shown.
    struct Shown: Equatable {
      let id: RecordID
      let values: [Register: [UInt8]]

      init(_ color: Expectation.Listed) {
        id = color.id
        // A note that was never written and an empty one are the same.
        values = color.shown.filter {
          $0.key != .note || $0.value != RegisterValue(text: "").encoded
        }
      }

      init(_ color: ListedColor) {
        id = color.color.id
        var values = [
          Register.name: RegisterValue(text: color.color.name).encoded,
          .color: RegisterValue(color: color.color.color).encoded,
          .place: RegisterValue(placeBytes: color.place.bytes).encoded,
        ]
        if !color.color.note.isEmpty {
          values[.note] = RegisterValue(text: color.color.note).encoded
        }
        self.values = values
      }
    }

    private var actions: [(before: [Shown], after: [Shown])] = []
    /// The number of the last ones that are undone.
    private(set) var undone = 0
    /// The frontier of all changes held after the last of them.
    var reached: Frontier

    init(reached: Frontier) {
      self.reached = reached
    }

    /// Goes on by a new action, behind which nothing can be redone.
    mutating func act(_ before: [Shown], _ after: [Shown]) {
      actions.removeLast(undone)
      undone = 0
      actions.append((before, after))
    }

    /// Goes a step back or forth: what is to be shown then; nil where that is not known.
    mutating func step(isUndo: Bool) -> [Shown]? {
      guard isUndo ? undone < actions.count : undone > 0 else { return nil }
      let index = actions.count - undone
      undone += isUndo ? 1 : -1
      return isUndo ? actions[index - 1].before : actions[index].after
    }
  }

  var ways: [WayKey: Way] = [:]
  /// The palette that somebody looks at here, since the node runs.
  var looksAt: PaletteID?

  init(_ index: Int, in root: String) throws {
    self.index = index
    name = Script.name(index)
    folder = try LibraryFolder("\(root)/\(name)\(index)")
    disk = SimulatedDisk(path: folder.path)
  }

  var isRunning: Bool { core != nil }

  /// The machine's address.
  var url: String { Machine.url(index) }

  static func url(_ index: Int) -> String { "http://machine-\(index)" }

  static func index(ofURL url: String) -> Int? { Int(url.dropFirst("http://machine-".count)) }
}
