/// What tells one state of a file from another.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// The number of bytes the file has.
  package let size: Int64
  private let changedSeconds: Int64
  private let changedNanoseconds: Int64

  /// Creates a stamp from what the system says of a file.
  package init(
    device: UInt64,
    inode: UInt64,
    size: Int64,
    changedSeconds: Int64,
    changedNanoseconds: Int64
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.changedSeconds = changedSeconds
    self.changedNanoseconds = changedNanoseconds
  }
}

/// A look at both sides of a link.
///
/// Reading and comparing may take long, so a look is a value that another thread can finish.
package struct LinkLook: Sendable {
  /// What is at the path of a file.
  package enum Found: Sendable {
    /// The file that is known.
    case same
    /// Another file, and how long ago it was written to.
    case file([UInt8], FileStamp, quietMilliseconds: Int64)
    /// A file that changes while it is read.
    case changing
    /// Nothing.
    case missing
    /// Something that cannot be read as a file, and why.
    case unusable(String)
  }

  /// What a look came to.
  package struct Outcome: Sendable {
    private(set) var core: LinkCore
    /// What comes next; nil for a file that changes while it is read.
    private(set) var step: LinkCore.Step?
    private(set) var known: (stamp: FileStamp, file: LinkedFile)?
    /// True if the file was opened to read it.
    private(set) var reads = false
    /// The time that the file had been as it was read, in milliseconds.
    private(set) var quietMilliseconds: Int64 = .max
    /// The differences of the file from the palette that its format makes; nil where they are not known.
    private(set) var notes: [String]?

    fileprivate init(_ look: LinkLook, _ found: Found) {
      core = look.core
      known = look.known
      let side: LinkCore.Side
      switch found {
      case .same: side = known.map { .file($0.file) } ?? .missing
      case .file(let bytes, let stamp, let quiet):
        reads = true
        quietMilliseconds = quiet
        let file = LinkedFile(bytes, as: core.format)
        known = (stamp, file)
        side = .file(file)
      case .changing:
        reads = true
        return
      case .missing:
        known = nil
        side = .missing
      case .unusable(let reason):
        known = nil
        side = .unusable(reason)
      }
      let step = core.next(side, look.palette, isSettled: look.isSettled)
      self.step = step
      notes = look.palette.flatMap { core.version(after: step)?.notes(on: $0) }
    }
  }

  /// The path of the file.
  package let file: String
  private let core: LinkCore
  private let known: (stamp: FileStamp, file: LinkedFile)?
  private let palette: LinkedPalette?
  private let isSettled: Bool

  init(
    at file: String,
    _ core: LinkCore,
    _ known: (stamp: FileStamp, file: LinkedFile)?,
    _ palette: LinkedPalette?,
    isSettled: Bool
  ) {
    self.file = file
    self.core = core
    self.known = known
    self.palette = palette
    self.isSettled = isSettled
  }

  /// The file that is known; it need not be read again.
  package var knownStamp: FileStamp? { known?.stamp }

  /// Decides what comes of what was found at the path.
  package func outcome(finding found: Found) -> Outcome { Outcome(self, found) }
}
