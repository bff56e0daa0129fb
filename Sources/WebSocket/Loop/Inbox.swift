import Synchronization

/// The requests of other threads to a loop: bounded, and closed for good when the loop stops.
final class Inbox<Loop>: Sendable {
  typealias Command = @Sendable (Loop) -> Void

  private struct State {
    var commands: [Command] = []
    var waker: Waker?
    var isClosed = false
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Adds a command and wakes the loop; `isUrgent` ignores the capacity.
  ///
  /// - Returns: Whether the command will run.
  func push(isUrgent: Bool = false, _ command: @escaping Command) -> Bool {
    state.withLock { state in
      guard !state.isClosed, isUrgent || state.commands.count < capacity else { return false }
      state.commands.append(command)
      // A loop that has been woken takes everything, so only the first command needs to wake it.
      if state.commands.count == 1 { state.waker?.wake() }
      return true
    }
  }

  /// Connects the loop that empties this inbox.
  func open(_ waker: Waker) {
    state.withLock { state in
      state.waker = waker
      if !state.commands.isEmpty { waker.wake() }
    }
  }

  /// Hands out everything that waits.
  func removeAll() -> [Command] {
    state.withLock { state in
      guard !state.commands.isEmpty else { return [] }
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Refuses further commands, forgets the waker and hands out the last commands.
  func close() -> [Command] {
    state.withLock { state in
      state.isClosed = true
      state.waker = nil
      defer { state.commands = [] }
      return state.commands
    }
  }
}
