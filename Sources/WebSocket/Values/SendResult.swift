/// What became of a message that was given to a connection.
package enum SendResult: Equatable, Sendable {
  /// It waits in the queue of the connection or has left.
  case queued
  /// It would exceed the byte budget of the connection and was dropped; `drained` follows when
  /// there is room again.
  case full
  /// The connection is closed or closing.
  case closed
}
