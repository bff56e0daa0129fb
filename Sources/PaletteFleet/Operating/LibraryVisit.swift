internal import PaletteCommands
internal import PalettePlatform
package import PaletteStore

/// The use of one library by a command, for a moment: whoever owns it lets go of it for that, and takes it
/// again when the next of its people asks.
package struct LibraryVisit {
  /// The seconds that an owner, or what a dead one left behind, has.
  private static let patience = 20.0
  /// The seconds after which whoever waits hears of it: an owner that lives needs one or two.
  private static let silence = 3.0
  private static let beatSeconds = 1.0
  /// The microseconds between looks at the library's row.
  private static let lookPause: UInt32 = 100_000

  private let makeLog: () throws -> any SharedLog
  private let machine: String
  private let onWait: (String) -> Void

  /// Names a log.
  ///
  /// - Parameters:
  ///   - machine: The machine on which the command runs.
  ///   - makeLog: Makes a connection, which is not made yet.
  ///   - onWait: Called once with the library's name where its owner takes long to let go of it.
  package init(
    on machine: String,
    log makeLog: @escaping () throws -> any SharedLog,
    onWait: @escaping (String) -> Void
  ) {
    self.machine = machine
    self.makeLog = makeLog
    self.onWait = onWait
  }

  /// Uses a library that nobody else has open meanwhile.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - body: Reads or writes it; what it writes is in the log when this returns.
  /// - Returns: The library, and what `body` returned.
  /// - Throws: `APIError` with code `not-found` where there is none, and `unreachable` where its owner keeps it;
  ///   `SharedLogError`, with reason `newerSchema` where a later program has brought the library to its format;
  ///   `StoreError`, and what `body` throws.
  package func use<Result>(
    _ name: String,
    _ body: (ChangeStore) throws -> Result
  ) throws -> (id: SharedLibraryID, result: Result) {
    let (log, beatLog) = (try makeLog(), try makeLog())
    try log.connect()
    try beatLog.connect()
    var random = SystemRandomNumberGenerator()
    let command = HubID.command(using: &random)
    try log.register(LogHub(id: command, name: "", machine: machine, url: ""))
    defer { try? log.bury(command) }
    let (claim, state) = try take(name, as: command, log)
    defer { _ = try? log.letGo(claim) }
    // Opening it may take longer than a hub may be silent.
    let beats = BeatThread()
    try beats.run(every: Self.beatSeconds) { _ = try? beatLog.beat(command) }
    defer { beats.end() }
    let temporary = try TemporaryFolder()
    let folder = try LibraryFolder(temporary.path)
    let opened = try OwnedCache(log, claim, LibraryCache(folder))
      .open(state, isContinued: false, timestamp: "\(systemMilliseconds())")
    let owned = OwnedLog(log, after: opened.position, claim: { claim }, onInterruption: { _ in })
    return (claim.library, try body(ChangeStore(caching: folder, log: owned)))
  }

  /// Takes a library as soon as its owner lets go of it, or is dead.
  private func take(
    _ name: String,
    as command: HubID,
    _ log: any SharedLog
  ) throws -> (claim: LogClaim, state: LogState) {
    var judge = BeatJudge()
    var nextBeat = 0.0
    var notice = Platform.secondsSinceStart + Self.silence
    let end = Platform.secondsSinceStart + Self.patience
    while Platform.secondsSinceStart < end {
      let now = Platform.secondsSinceStart
      if now >= nextBeat {
        nextBeat = now + Self.beatSeconds
        guard let answer = try log.beat(command) else { throw SharedLogError.fenced }
        judge.note(
          answer.beats.filter { $0.key != command },
          sent: now,
          now: Platform.secondsSinceStart
        )
      }
      guard let library = try log.look(name), library.state.image != nil else {
        throw APIError.noLibrary(name)
      }
      guard !library.isNewer else { throw SharedLogError.newer(name) }
      if let reason = reason(toTake: library, judge),
        let state = try log.take(
          library,
          because: reason,
          for: command,
          schema: ChangeStore.formatVersion
        )
      {
        return (LogClaim(library.id, hub: command, epoch: state.epoch), state)
      }
      if library.owner != nil, library.wanted != command {
        _ = try log.want(library, for: command)
      }
      if now >= notice {
        notice = .infinity
        onWait(name)
      }
      usleep(Self.lookPause)
    }
    throw APIError(
      code: "unreachable",
      message: "the hub that serves \(name) does not let go of it",
      hint: "'hued-fleet hubs' shows which hubs live; try again"
    )
  }

  private func reason(toTake library: SharedLibrary, _ judge: BeatJudge) -> LogTaking? {
    guard let owner = library.owner else { return .free }
    guard let hub = library.hub, !hub.isDead else { return .dead(owner) }
    guard let beat = judge.stillBeat(of: owner), beat == hub.beat else { return nil }
    return .stoodStill(owner, beat: beat)
  }
}
