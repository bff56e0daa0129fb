/// The name of a connection: never used again in the same loop, so a late use is harmless.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  /// The number of the connection, counted from one.
  package let rawValue: UInt64

  /// Names the connection with a number.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The number, marked as a connection.
  package var description: String { "#\(rawValue)" }
}

/// The name of a listener in its loop.
package struct ListenerID: Hashable, Sendable {
  /// The number of the listener, counted from one.
  package let rawValue: Int

  /// Names the listener with a number.
  package init(rawValue: Int) {
    self.rawValue = rawValue
  }
}
