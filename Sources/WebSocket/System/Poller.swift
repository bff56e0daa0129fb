import CWebSockets

/// Watches many sockets, as one descriptor that libwebsockets watches.
///
/// What a wake-up costs depends on how many of them are ready, not on how many there are. Linux only:
/// it is an epoll.
final class Poller: Attachment {
  /// The readiness of a socket.
  struct Readiness {
    let id: ConnectionID
    let isReadable: Bool
    let isWritable: Bool
    /// True if the connection is gone in both directions.
    let isOver: Bool
    /// True if nothing more can arrive; said only of sockets whose arrivals are watched.
    let hasEnded: Bool
  }

  /// libwebsockets closes it with everything else.
  let descriptor = clws_poller()

  /// Begins to watch a socket, without telling yet what it can do.
  func add(_ socket: Int32, _ id: ConnectionID) -> Bool {
    clws_watch(descriptor, socket, id.rawValue, 1, 0) == 0
  }

  /// Tells from now on whenever more arrives on a socket, not that something is still unread.
  func addArrivals(of socket: Int32, _ id: ConnectionID) -> Bool {
    clws_watch(descriptor, socket, id.rawValue, 1, Int32(CLWS_ARRIVALS)) == 0
  }

  /// Watches a socket no longer.
  func remove(_ socket: Int32) { clws_forget(descriptor, socket) }

  /// Tells from now on when a socket can be read, or takes more, or neither.
  func watch(_ socket: Int32, _ id: ConnectionID, reads: Bool, writes: Bool) {
    let wanted = (reads ? CLWS_READABLE : 0) | (writes ? CLWS_WRITABLE : 0)
    clws_watch(descriptor, socket, id.rawValue, 0, Int32(wanted))
  }

  /// The sockets that are ready; a closed one has left by itself.
  func ready() -> [Readiness] {
    withUnsafeTemporaryAllocation(of: clws_readiness.self, capacity: 256) { found in
      let count = clws_ready(descriptor, found.baseAddress)
      return found.prefix(max(0, Int(count))).map { ready in
        Readiness(
          id: ConnectionID(rawValue: ready.name),
          isReadable: Int(ready.state) & CLWS_READABLE != 0,
          isWritable: Int(ready.state) & CLWS_WRITABLE != 0,
          isOver: Int(ready.state) & CLWS_OVER != 0,
          hasEnded: Int(ready.state) & (CLWS_ENDED | CLWS_OVER) != 0
        )
      }
    }
  }
}
