internal import Synchronization

/// The last beat of a hub that was answered, as the thread of beats tells it the loop.
final class AnsweredBeat: Sendable {
  private let last = Mutex<(hub: HubID, sent: Double)?>(nil)

  /// Notes that a beat was answered, which was sent at a time.
  func note(_ hub: HubID, sent: Double) { last.withLock { $0 = (hub, sent) } }

  /// The time at which the last beat of a hub was sent that was answered; nil where none was.
  func time(of hub: HubID) -> Double? { last.withLock { $0?.hub == hub ? $0?.sent : nil } }
}
