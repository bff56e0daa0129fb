internal import PalettePlatform
internal import Synchronization
internal import WebSocket

/// A thread that works for a loop: what may take long is done there, and what comes of it on the loop.
final class LinkWorker {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isClosed = false
  }

  /// A queue that one thread empties; a byte in the pipe says that it is not empty.
  private final class Queue: Sendable {
    let jobs = Mutex(State())
    let readEnd: Int32
    let writeEnd: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
      close(readEnd)
      close(writeEnd)
    }

    func push(_ job: @escaping @Sendable () -> Void) {
      let isFirst = jobs.withLock { state in
        state.jobs.append(job)
        return state.jobs.count == 1
      }
      if isFirst { wake() }
    }

    func wake() {
      var byte: UInt8 = 0
      while PalettePlatform.write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }

    /// Waits for a byte, and hands out what is there.
    func waitForJobs() -> [@Sendable () -> Void]? {
      var byte: UInt8 = 0
      while PalettePlatform.read(readEnd, &byte, 1) < 0, errno == EINTR {}
      return jobs.withLock { state in
        guard !state.isClosed else { return nil }
        defer { state.jobs = [] }
        return state.jobs
      }
    }
  }

  private let work: Queue
  private let results: Queue
  private let thread: Thread
  /// The endings that await a result, by its number.
  private var endings: [Int: (any Sendable) -> Void] = [:]
  private var last = 0
  private let done: Finished

  /// The results that are not reported yet.
  private final class Finished: Sendable {
    let list = Mutex<[(number: Int, result: any Sendable)]>([])
  }

  /// Starts the thread; nil where the system has no more threads or descriptors.
  init?(_ loop: EventLoop) {
    guard let work = Queue(), let results = Queue() else { return nil }
    let thread = Thread.start {
      while let jobs = work.waitForJobs() {
        for job in jobs { job() }
      }
    }
    guard let thread else { return nil }
    self.work = work
    self.results = results
    self.thread = thread
    done = Finished()
    // The loop closes the descriptor that it watches, so it gets one of its own.
    let watched = fcntl(results.readEnd, F_DUPFD_CLOEXEC, 0)
    _ = fcntl(watched, F_SETFL, O_NONBLOCK)
    guard watched >= 0, loop.watch(watched, { [weak self] in self?.tell(watched) }) else {
      return nil
    }
  }

  deinit { stop() }

  /// Ends the thread after what it is doing.
  private func stop() {
    work.jobs.withLock { state in
      state.isClosed = true
      state.jobs = []
    }
    work.wake()
    thread.join()
  }

  /// Does something on the thread, and then something with what came of it on the loop's.
  func perform<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result,
    then ending: @escaping (Result) -> Void
  ) {
    last += 1
    let number = last
    endings[number] = { result in
      if let result = result as? Result { ending(result) }
    }
    let (done, results) = (done, results)
    work.push {
      let result = job()
      done.list.withLock { $0.append((number, result)) }
      results.wake()
    }
  }

  private func tell(_ descriptor: Int32) {
    var bytes: (UInt64, UInt64) = (0, 0)
    while withUnsafeMutableBytes(
      of: &bytes,
      { PalettePlatform.read(descriptor, $0.baseAddress, 16) }
    ) > 0 {}
    let finished = done.list.withLock { list in
      defer { list = [] }
      return list
    }
    for (number, result) in finished { endings.removeValue(forKey: number)?(result) }
  }
}
