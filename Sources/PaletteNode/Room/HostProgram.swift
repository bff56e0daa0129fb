internal import PaletteModel
internal import PaletteStore
internal import WebSocket

/// The node's face to the program that embeds it: the change log, and news of library and peers.
final class HostProgram {
  private unowned let loop: EventLoop
  private let library: OpenLibrary
  /// The library as the program uses it; nil where it does not.
  private var log: ChangeLog?
  private var listeners: [Int: AsyncStream<NodeStatus>.Continuation] = [:]
  private var lastListener = 0
  private var told: NodeStatus?
  private var willTell = false

  /// News come in pieces; those of a moment are told together.
  private static let delay = Duration.milliseconds(50)
  /// The interval at which changes without an event are looked for, such as a peer's report of what
  /// it holds.
  private static let interval = Duration.milliseconds(250)

  init(_ loop: EventLoop, _ library: OpenLibrary) {
    self.loop = loop
    self.library = library
  }

  deinit {
    for listener in listeners.values { listener.finish() }
  }

  /// The library's log, made when it is asked for first; it works on this thread.
  func log(on executor: @autoclosure () -> any SerialExecutor) -> ChangeLog {
    if let log { return log }
    // The log and the node use the store on this thread alone.
    nonisolated(unsafe) let store = library.store
    let made = ChangeLog(sharing: store, on: executor())
    log = made
    return made
  }

  /// The present state of the library and its peers.
  func status() throws -> NodeStatus { try NodeStatus(of: library) }

  /// Tells somebody how it is now, and whenever that changes.
  ///
  /// - Returns: By what `remove` knows the listener.
  func add(_ listener: AsyncStream<NodeStatus>.Continuation) -> Int {
    lastListener += 1
    listeners[lastListener] = listener
    told = nil
    schedule(after: .zero)
    return lastListener
  }

  func remove(_ number: Int) { listeners[number] = nil }

  /// True if the program holds the log, or listens.
  var isUsed: Bool { log != nil || !listeners.isEmpty }

  /// A peer or a member may stand elsewhere than before.
  func standingChanged() {
    if !listeners.isEmpty { schedule(after: Self.delay) }
  }

  private func schedule(after delay: Duration) {
    guard !willTell else { return }
    willTell = true
    loop.schedule(after: delay) { [weak self] in self?.tell() }
  }

  private func tell() {
    willTell = false
    guard !listeners.isEmpty else { return }
    // What cannot be read now is told when it can.
    guard let status = try? status() else { return schedule(after: Self.interval) }
    if status != told { for listener in listeners.values { listener.yield(status) } }
    told = status
    if status.isUnsettled { schedule(after: Self.interval) }
  }
}

extension HostProgram: CommitListener {
  func committed(_ batch: [CommittedChanges]) {
    standingChanged()
    guard let log else { return }
    for changes in batch { Task { await log.tell(of: changes.palette) } }
  }
}
