/// The name of a listener in its loop.
package struct ListenerID: Hashable, Sendable {
  /// The number of the listener, counted from one.
  package let rawValue: Int

  /// Names the listener with a number.
  package init(rawValue: Int) {
    self.rawValue = rawValue
  }
}
