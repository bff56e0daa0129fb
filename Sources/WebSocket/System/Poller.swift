import CWebSockets

/// Watches the sockets that are read without libwebsockets, as one descriptor that it watches.
final class Poller: Attachment {
  /// libwebsockets closes it with everything else.
  let descriptor = clws_poller()

  /// Begins to watch a socket, without telling yet when it can be read.
  func add(_ socket: Int32, _ id: ConnectionID) {
    clws_watch(descriptor, socket, id.rawValue, 1, 0)
  }

  /// Tells or does not tell for now when a socket can be read.
  func listen(to socket: Int32, _ id: ConnectionID, _ isWanted: Bool) {
    clws_watch(descriptor, socket, id.rawValue, 0, isWanted ? 1 : 0)
  }

  /// The connections whose sockets can be read; a closed socket has left by itself.
  func ready() -> [ConnectionID] {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { names in
      let count = clws_ready(descriptor, names.baseAddress)
      return names.prefix(max(0, Int(count))).map(ConnectionID.init(rawValue:))
    }
  }
}
