/// A whole message, however many fragments it came in.
package struct Message: Equatable, Sendable {
  /// The kind that the sender declared.
  package enum Kind: Sendable {
    /// Well-formed UTF-8: a connection that sends anything else as text is closed with 1007.
    case text
    /// Any bytes.
    case binary
  }

  /// The kind that the sender declared.
  package let kind: Kind
  /// The payload.
  package let bytes: [UInt8]

  /// Creates a message.
  package init(kind: Kind, bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Creates a text message.
  package init(text: String) {
    self.init(kind: .text, bytes: Array(text.utf8))
  }
}

/// The outcome of sending a message.
package enum SendResult: Equatable, Sendable {
  /// It waits in the queue of the connection or has left.
  case queued
  /// It would exceed the byte budget of the connection and was dropped; `drained` follows when
  /// there is room again.
  case full
  /// The connection is closed or closing.
  case closed
}
