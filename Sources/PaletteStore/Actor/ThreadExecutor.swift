import Dispatch

/// Runs an actor's jobs one after another on a queue of its own.
///
/// `DispatchSerialQueue` would be an executor by itself, but Linux does not have it.
final class ThreadExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(name: String) {
    queue = DispatchQueue(label: name)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
