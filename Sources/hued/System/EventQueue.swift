import PaletteCommands
import PalettePlatform
import Synchronization

/// The events that threads pass to the one that waits for all of them, and for the keyboard.
final class EventQueue<Event: Sendable>: Sendable {
  /// So many events wait at most; then those who bring more wait too.
  private static var limit: Int { 256 }

  private let events = Mutex<[Event]>([])
  private let reading: CInt
  private let writing: CInt

  /// Creates an empty queue.
  init() throws(APIError) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw APIError(code: "failed", message: "no pipe can be made: \(Platform.failureReason)")
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    reading = ends[0]
    writing = ends[1]
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Adds an event, from any thread.
  func push(_ event: Event) {
    while true {
      let isIn = events.withLock { events in
        guard events.count < Self.limit else { return false }
        events.append(event)
        return true
      }
      if isIn { break }
      usleep(5_000)
    }
    // A pipe that is full wakes the other side as well.
    var byte: UInt8 = 1
    _ = PalettePlatform.write(writing, &byte, 1)
  }

  /// Waits for events, or for the keyboard.
  ///
  /// - Returns: The events that came, and whether there is something to read on the standard input.
  func wait(milliseconds: Int, withKeyboard: Bool) -> (events: [Event], hasKeys: Bool) {
    var waits = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: withKeyboard ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
    ]
    poll(&waits, 2, CInt(clamping: milliseconds))
    var bytes = [UInt8](repeating: 0, count: 512)
    while read(reading, &bytes, bytes.count) > 0 {}
    let come = events.withLock { events in
      defer { events = [] }
      return events
    }
    return (come, waits[1].revents != 0)
  }
}

/// Runs work on a thread of its own, which ends with the process.
enum Background {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func run(_ body: @escaping @Sendable () -> Void) throws(APIError) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      work.toOpaque()
    )
    guard status == 0 else {
      work.release()
      throw APIError(code: "failed", message: "no thread can be started")
    }
    pthread_detach(thread)
  }
}
