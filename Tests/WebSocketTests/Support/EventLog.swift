import Foundation
import PaletteTestSupport
import Synchronization
import WebSocket

/// What a handler was told.
enum Event: Sendable {
  case connected(ConnectionInfo)
  case message(ConnectionID, Message)
  case drained(ConnectionID)
  case closed(ConnectionID, CloseEvent)
  case refused(String, ConnectionRefusal)
  case failed(ConnectionID, ConnectFailure)
  case note(String)
}

/// A wait that did not end in time.
struct TimedOut: Error, CustomStringConvertible {
  let description: String
}

/// The events of a loop, to be waited for from a test's thread.
final class EventLog: Sendable {
  private let events = Mutex<[Event]>([])
  private let changed = NSCondition()

  func append(_ event: Event) {
    changed.lock()
    events.withLock { $0.append(event) }
    changed.broadcast()
    changed.unlock()
  }

  var all: [Event] { events.withLock { $0 } }

  /// Waits until `find` finds something in the events so far.
  func wait<Found>(
    for what: String,
    seconds: Double = 10,
    _ find: ([Event]) -> Found?
  ) throws -> Found {
    let deadline = Date(timeIntervalSinceNow: TestPatience.seconds(seconds))
    changed.lock()
    defer { changed.unlock() }
    while true {
      if let found = find(all) { return found }
      guard changed.wait(until: deadline) else {
        let last = all.suffix(5).map { String(String(describing: $0).prefix(200)) }
        throw TimedOut(description: "no \(what) in \(seconds) s; events: \(last)")
      }
    }
  }

  /// Waits for the connection that was opened as the `index`-th.
  func connection(_ index: Int = 0) throws -> ConnectionInfo {
    try wait(for: "connection \(index)") { events in
      let infos = events.compactMap { if case .connected(let info) = $0 { info } else { nil } }
      return index < infos.count ? infos[index] : nil
    }
  }

  /// Waits for the `index`-th message of any connection.
  func message(_ index: Int = 0) throws -> Message {
    try wait(for: "message \(index)") { events in
      let found = events.compactMap {
        if case .message(_, let message) = $0 { message } else { nil }
      }
      return index < found.count ? found[index] : nil
    }
  }

  /// Waits for the end of a connection.
  func end(of id: ConnectionID? = nil, seconds: Double = 10) throws -> CloseEvent {
    try wait(for: "end", seconds: seconds) { events in
      for case .closed(let closed, let event) in events where id == nil || id == closed {
        return event
      }
      return nil
    }
  }

  /// Waits for a failure to connect.
  func failure(of id: ConnectionID? = nil) throws -> ConnectFailure {
    try wait(for: "failure") { events in
      for case .failed(let failed, let failure) in events where id == nil || id == failed {
        return failure
      }
      return nil
    }
  }
}
