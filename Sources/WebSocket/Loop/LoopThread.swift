import Synchronization

/// A loop on a thread of its own, with a handler that lives there.
///
/// The loop, its connections and the handler belong to that thread alone; this object is what the
/// rest of the program holds. It must be shut down, or the thread runs on.
package final class LoopThread<Handler: LoopHandler>: Sendable {
  private let inbox: Inbox<EventLoop>
  private let thread: Mutex<Thread?>
  private let waiters: Waiters

  /// Starts the thread, creates the loop, and makes the handler there.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - makeHandler: Makes the handler, on the loop's thread; it may open listeners.
  /// - Throws: Whatever `makeHandler` throws, or a `WebSocketError`; then there is no thread.
  package init(
    _ configuration: LoopConfiguration,
    makeHandler: @escaping @Sendable (EventLoop) throws -> Handler
  ) throws {
    let inbox = Inbox<EventLoop>(capacity: configuration.inboxCapacity)
    guard let start = StartOutcome() else {
      throw WebSocketError(.loopUnavailable, "no more descriptors")
    }
    let waiters = Waiters()
    let thread = Thread.start {
      defer { waiters.release() }
      do {
        let loop = try EventLoop(configuration: configuration, inbox: inbox)
        do {
          loop.handler = try makeHandler(loop)
        } catch {
          loop.destroy()
          throw error
        }
        start.succeed()
        loop.run()
      } catch {
        start.fail(error)
      }
    }
    guard let thread else { throw WebSocketError(.loopUnavailable, "no more threads") }
    if let error = start.wait() {
      thread.join()
      throw error
    }
    self.inbox = inbox
    self.thread = Mutex(thread)
    self.waiters = waiters
  }

  /// Runs a closure on the loop's thread, after those that were given before.
  ///
  /// - Parameters:
  ///   - isUrgent: Whether it is taken however many wait.
  ///   - body: The closure.
  /// - Returns: Whether it will run: the inbox is bounded, and closed when the loop ends.
  @discardableResult
  package func perform(
    isUrgent: Bool = false,
    _ body: @escaping @Sendable (EventLoop, Handler) -> Void
  ) -> Bool {
    inbox.push(isUrgent: isUrgent) { loop in
      if let handler = loop.handler as? Handler { body(loop, handler) }
    }
  }

  /// Runs a closure on the loop's thread and returns what it returns.
  ///
  /// - Throws: What the closure throws, or `loopUnreachable` if it cannot run.
  package func call<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop, Handler) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let isAccepted = perform { loop, handler in
        continuation.resume(with: Swift.Result { try body(loop, handler) })
      }
      if !isAccepted {
        continuation.resume(
          throwing: WebSocketError(.loopUnreachable, "the loop is not taking calls")
        )
      }
    }
  }

  /// Asks the loop to close everything with a code and to end; returns at once.
  ///
  /// - Parameters:
  ///   - code: The code for open WebSockets.
  ///   - reason: The text for open WebSockets.
  ///   - limit: How long peers may take; what is open then is cut off.
  package func beginShutdown(
    code: CloseCode = .goingAway,
    reason: String = "",
    within limit: Duration = .seconds(4)
  ) {
    _ = inbox.push(isUrgent: true) { loop in
      loop.shutDown(code: code, reason: reason, within: limit)
    }
  }

  /// Closes everything with a code, ends the loop and its thread.
  package func shutdown(
    code: CloseCode = .goingAway,
    reason: String = "",
    within limit: Duration = .seconds(4)
  ) async {
    beginShutdown(code: code, reason: reason, within: limit)
    await waiters.wait()
    join()
  }

  /// Blocks the calling thread until the loop's thread has ended.
  package func join() {
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}
