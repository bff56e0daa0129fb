/// The outcome of a run of a script.
public struct Verdict: Sendable {
  /// The violation that was found; nil if there was none.
  public let violation: Violation?
  /// The number of actions of users changed something.
  public let edits: Int
  /// The number of changes that were committed, at all machines together.
  public let changes: Int
  /// The number of frames that were sent.
  public let frames: Int
  /// The number of times a machine lost power.
  public let crashes: Int
  /// The number of snapshots that were merged.
  public let snapshots: Int
  /// The number of times a linked file was written, and how many edits were taken from one.
  public let files: (written: Int, taken: Int)

  /// The run in numbers.
  public var summary: String {
    "\(edits) edits, \(changes) changes committed, \(frames) frames, \(crashes) power losses, "
      + "\(snapshots) snapshots, \(files.written) files written, \(files.taken) edits of files"
  }
}

extension Script {
  /// Runs the script, which always ends in the same way.
  ///
  /// - Parameter trace: Is told what happens, line by line.
  /// - Returns: How it ended.
  public func run(tracing trace: ((String) -> Void)? = nil) -> Verdict {
    var counts = Fleet.Counts()
    var violation: Violation?
    do {
      let fleet = try Fleet(self)
      fleet.trace = trace
      defer { counts = fleet.counts }
      try fleet.run()
    } catch let found as Violation {
      violation = found
    } catch {
      violation = Violation("error", "\(error)")
    }
    return Verdict(
      violation: violation,
      edits: counts.edits,
      changes: counts.changes,
      frames: counts.frames,
      crashes: counts.crashes,
      snapshots: counts.snapshots,
      files: (counts.fileWrites, counts.fileEdits)
    )
  }
}
