/// Receives the events of a loop, one at a time, on the loop's own thread.
///
/// It is made on that thread and never leaves it, so it needs no lock, and it may call the loop from
/// any of these methods. A method that takes long holds up every connection.
package protocol LoopHandler: AnyObject, SendableMetatype {
  /// Decides about a WebSocket that the library's own checks have passed.
  func admit(_ request: UpgradeRequest) -> Admission
  /// Answers a GET or HEAD request.
  func respond(to request: HTTPRequest) -> HTTPResponse
  /// Whether pages of other sites may ask for a path too.
  func isOpen(toOtherSites path: String) -> Bool
  /// A WebSocket is open, in either role.
  func connected(_ connection: ConnectionInfo)
  /// A whole message has arrived.
  func received(_ message: Message, on id: ConnectionID)
  /// A queue that had refused a message, or was more than half full, is down to a quarter.
  func drained(_ id: ConnectionID)
  /// A WebSocket that was open has ended; nothing more comes from it.
  func closed(_ id: ConnectionID, _ event: CloseEvent)
  /// A client was sent away, or made room for another, before it showed who it is.
  func refused(_ address: String, _ reason: ConnectionRefusal)
  /// A connection that `connect` began could not be made.
  func failed(_ id: ConnectionID, _ failure: ConnectFailure)
}

extension LoopHandler {
  /// Accepts everyone.
  package func admit(_ request: UpgradeRequest) -> Admission { .accept }
  /// Answers 404.
  package func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }
  /// Opens nothing.
  package func isOpen(toOtherSites path: String) -> Bool { false }
  /// Does nothing.
  package func connected(_ connection: ConnectionInfo) {}
  /// Does nothing.
  package func drained(_ id: ConnectionID) {}
  /// Does nothing.
  package func closed(_ id: ConnectionID, _ event: CloseEvent) {}
  /// Does nothing.
  package func refused(_ address: String, _ reason: ConnectionRefusal) {}
  /// Does nothing.
  package func failed(_ id: ConnectionID, _ failure: ConnectFailure) {}
}
