/// A listener that is open.
package struct ListenerInfo: Equatable, Sendable {
  /// Its name in the loop.
  package let id: ListenerID
  /// The port that was bound; 0 for a Unix socket.
  package let port: UInt16
}
