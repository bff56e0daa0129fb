/// Who may call a command through a node; each includes those before it.
package enum Access: Int, Comparable, Sendable {
  case viewer
  case editor
  case owner
  /// Only through the Unix socket.
  case local

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
