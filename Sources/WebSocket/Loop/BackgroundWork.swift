import PalettePlatform
import Synchronization

/// Long work beside a loop, whose results come back to the loop's thread.
final class BackgroundWork {
  private let worker = BackgroundWorker()
  /// Does what may take seconds.
  private let slowWorker = BackgroundWorker()
  /// Takes the result of a piece of work to the loop's thread.
  private let report: @Sendable (UInt64, any Sendable) -> Void
  /// The handlers of results of the work that is being done.
  private var results: [UInt64: (Any) -> Void] = [:]
  private var last: UInt64 = 0

  init(reporting report: @escaping @Sendable (UInt64, any Sendable) -> Void) {
    self.report = report
  }

  /// Runs work on another thread; `then` gets its result, unless the loop ends first.
  ///
  /// - Returns: Whether it will be done: so many bytes and so much work can wait, and no more.
  func perform<Result: Sendable>(
    holding bytes: Int,
    isSlow: Bool,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result) -> Void
  ) -> Bool {
    last += 1
    let number = last
    let worker = isSlow ? slowWorker : worker
    let isAccepted = worker.add(bytes: bytes) { [report] in report(number, work()) }
    guard isAccepted else { return false }
    results[number] = { result in
      if let result = result as? Result { then(result) }
    }
    return true
  }

  /// Work is done.
  func finish(_ number: UInt64, _ result: Any) {
    results.removeValue(forKey: number)?(result)
  }
}

/// A thread beside a loop that does one piece of work after the other, and is there only while there is
/// some.
final class BackgroundWorker: Sendable {
  private struct Job {
    let bytes: Int
    let body: @Sendable () -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var bytes = 0
    var isRunning = false
  }

  /// The most pieces of work that wait, and the most bytes that they, and the one being done, hold.
  static let countLimit = 256
  static let byteLimit = 256 << 20
  /// The loop comes first where there are not enough processors.
  private static let niceness: Int32 = 10

  private let state = Mutex(State())

  /// Adds a piece of work.
  ///
  /// - Returns: Whether it will be done; a single piece always fits.
  func add(bytes: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    let job = Job(bytes: max(0, bytes), body: body)
    let needsThread: Bool? = state.withLock { state in
      let fits = state.jobs.count < Self.countLimit && job.bytes <= Self.byteLimit - state.bytes
      guard fits || (state.jobs.isEmpty && state.bytes == 0) else { return nil }
      state.jobs.append(job)
      state.bytes += job.bytes
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard let needsThread else { return false }
    guard needsThread else { return true }
    guard let thread = Thread.start({ [self] in run() }) else {
      state.withLock { state in
        state.isRunning = false
        state.jobs.removeLast()
        state.bytes -= job.bytes
      }
      return false
    }
    thread.detach()
    return true
  }

  private func run() {
    Platform.lowerPriority(by: Self.niceness)
    while let job = next() {
      job.body()
      state.withLock { $0.bytes -= job.bytes }
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
