internal import Dispatch
internal import PaletteCommands
package import PaletteNode
internal import PalettePlatform
internal import PaletteStore
internal import Synchronization

/// A hub of a fleet: a process that serves those libraries of a shared log that it owns.
package final class FleetHub: Sendable {
  /// The description of a hub.
  package struct Settings: Sendable {
    /// Its name, for people.
    package var name: String
    /// The machine on which it runs.
    package var machine: String
    /// The address under which people reach the fleet; nil for the hub's own.
    package var publicURL: String?
    /// The folder of its caches, as an absolute path.
    package var caches: String
    /// Its address, and how libraries are served there.
    package var node: NodeSettings
    /// The budgets of the process.
    package var limits: ProcessLimits
    /// The sizes of the log's entries and images.
    package var logLimits = LogLimits()

    /// Describes a hub that closes libraries which nobody has used for a minute.
    package init(name: String, machine: String, caches: String, node: NodeSettings) {
      self.name = name
      self.machine = machine
      self.caches = caches
      self.node = node
      limits = ProcessLimits()
      limits.idleTime = .seconds(60)
    }
  }

  /// The seconds that a hub which ends has for letting go of its libraries.
  private static let drainSeconds = 3
  private static let beatSeconds = 1.0
  /// The number of beats after which the rows of dead hubs are removed.
  private static let beatsToForget: Int64 = 3_600
  /// The time between looks at another hub of the same name, in microseconds.
  private static let lookPause: UInt32 = 100_000

  private let hub: Hub
  private let beatLog: any SharedLog
  /// The loop cannot wait until this one is connected again.
  private let appendLog: any SharedLog
  private let caches: CacheFolder
  private let id: Mutex<HubID>
  private let row: @Sendable (HubID) -> LogHub
  private let answered: AnsweredBeat
  /// The thread of beats, which waits for nothing else in this process.
  private let beats: BeatThread

  /// The URL at which the hub listens, with the real port.
  package var url: String { hub.url }

  /// Registers a hub, and listens.
  ///
  /// - Parameters:
  ///   - settings: The description of the hub.
  ///   - makeLog: Makes a connection to the shared log, which is not made yet.
  /// - Throws: `SharedLogError` where the database cannot be used; `StoreError` where the folder of caches
  ///   cannot, with code `locked` while another process does; `APIError` with code `exists` where another hub of
  ///   its name lives, and why it cannot listen.
  package init(_ settings: Settings, log makeLog: () throws -> any SharedLog) throws {
    let (beatLog, appendLog, workLog) = (try makeLog(), try makeLog(), try makeLog())
    for log in [beatLog, appendLog, workLog] { try log.connect() }
    let first = HubID.random()
    var node = settings.node
    // Links are files of the client's side.
    node.linksFiles = false
    let repeated = RepeatedLines()
    node.log = { [log = node.log] line in
      if repeated.allows(line) { log(line) }
    }
    caches = try CacheFolder(settings.caches)
    // Whoever had the folder before is gone, since it is not locked.
    if let last = try caches.lastUser().flatMap({ HubID($0, on: settings.machine) }) {
      try beatLog.bury(last)
    }
    try Self.awaitEnd(ofHubsNamed: settings.name, in: beatLog)
    try beatLog.forgetDead()
    let answered = AnsweredBeat()
    self.answered = answered
    hub = try Hub(settings: node, limits: settings.limits) { rooms in
      FleetDirectory(
        first,
        rooms,
        caches: settings.caches,
        logs: (appendLog, workLog),
        limits: settings.logLimits,
        isBehindProxy: settings.node.isBehindProxy,
        answered: answered.time(of:)
      )
    }
    let url = settings.publicURL ?? hub.url
    row = { LogHub(id: $0, name: settings.name, machine: settings.machine, url: url) }
    self.beatLog = beatLog
    self.appendLog = appendLog
    id = Mutex(first)
    beats = BeatThread()
    try caches.remember(first.text(on: settings.machine))
    try beatLog.register(row(first))
    try beats.run(every: Self.beatSeconds) { [weak self] in self?.beat() }
  }

  /// Waits until other hubs of a name would count as dead.
  ///
  /// - Throws: `APIError` with code `exists` where one lives.
  private static func awaitEnd(ofHubsNamed name: String, in log: any SharedLog) throws {
    func beats() throws -> [HubID: LogHub] {
      let hubs = try log.hubs().filter { $0.name == name }
      return Dictionary(uniqueKeysWithValues: hubs.map { ($0.id, $0) })
    }
    let known = try beats()
    let end = Platform.secondsSinceStart + BeatJudge.stillness
    while !known.isEmpty, Platform.secondsSinceStart < end {
      usleep(lookPause)
      for (id, hub) in try beats() where hub.beat != known[id]?.beat {
        throw APIError(
          code: "exists",
          message: "a hub named \(name) is running on \(hub.machine)",
          hint: "give this one another name"
        )
      }
    }
  }

  /// Tells that the hub lives, and the loop what came of it.
  private func beat() {
    // After the beat, which may not wait for it.
    defer { try? appendLog.connect() }
    let id = id.withLock { $0 }
    let sent: Double
    let answer: BeatAnswer?
    do throws(SharedLogError) {
      try beatLog.connect()
      sent = Platform.secondsSinceStart
      answer = try beatLog.beat(id)
    } catch {
      hub.perform { directory in (directory as? FleetDirectory)?.missBeat(because: error) }
      return
    }
    // A loop that is busy for longer than a lease does not lose it.
    if answer != nil { answered.note(id, sent: sent) }
    hub.perform { directory in (directory as? FleetDirectory)?.beat(answer, of: id, sent: sent) }
    if answer == nil { startAgain() }
    if answer?.beat.isMultiple(of: Self.beatsToForget) == true { try? beatLog.forgetDead() }
  }

  /// Begins again under another id, after the hub was declared dead; where that fails, after the next beat.
  private func startAgain() {
    let next = HubID.random()
    let row = row(next)
    guard (try? caches.remember(next.text(on: row.machine))) != nil,
      (try? beatLog.register(row)) != nil
    else { return }
    id.withLock { $0 = next }
    hub.perform { directory in (directory as? FleetDirectory)?.begin(as: next) }
  }

  /// Runs `body` when the thread that does the work is free.
  package func whenFree(_ body: @escaping @Sendable () -> Void) {
    hub.perform { _ in body() }
  }

  /// Reads the certificate again, for everyone who connects from now on.
  package func reloadCertificate() { hub.reloadCertificate() }

  /// Lets go of all libraries, and ends.
  package func stop(because reason: String) {
    let isDrained = DispatchSemaphore(value: 0)
    let isAsked = hub.perform { directory in
      guard let directory = directory as? FleetDirectory else { return }
      directory.drain { isDrained.signal() }
    }
    if isAsked { _ = isDrained.wait(timeout: .now() + .seconds(Self.drainSeconds)) }
    end(because: reason)
  }

  /// Ends as a process does that is killed, but for its listeners; for tests.
  package func end(because reason: String, isBuried: Bool = true) {
    beats.end()
    if isBuried { try? beatLog.bury(id.withLock { $0 }) }
    hub.stop(because: reason)
    caches.release()
  }
}

extension HubID {
  fileprivate static func random() -> HubID {
    var random = SystemRandomNumberGenerator()
    return .random(using: &random)
  }

  /// Reads what `text` wrote on the same machine.
  fileprivate init?(_ text: String, on machine: String) {
    guard let number = Int64(text.prefix { $0 != "\n" }),
      text == HubID(number).text(on: machine)
    else { return nil }
    self.init(number)
  }

  /// The id, and the machine on which the hub runs.
  fileprivate func text(on machine: String) -> String { "\(number)\n\(machine)\n" }
}

/// The last beat of a hub that was answered, as the thread of beats tells it the loop.
private final class AnsweredBeat: Sendable {
  private let last = Mutex<(hub: HubID, sent: Double)?>(nil)

  /// Notes that a beat was answered, which was sent at a time.
  func note(_ hub: HubID, sent: Double) { last.withLock { $0 = (hub, sent) } }

  /// The time at which the last beat of a hub was sent that was answered; nil where none was.
  func time(of hub: HubID) -> Double? { last.withLock { $0?.hub == hub ? $0?.sent : nil } }
}
