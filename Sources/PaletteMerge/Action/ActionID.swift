public import PaletteModel

/// The name of an action: all changes of one author in one palette that carry one stamp.
public struct ActionID: Hashable, Sendable {
  /// The stamp of all its changes.
  public let stamp: Stamp
  /// The id that its author wrote under.
  public let node: NodeID

  /// Names an action.
  public init(_ stamp: Stamp, by node: NodeID) {
    self.stamp = stamp
    self.node = node
  }

  /// Names the action that a change belongs to.
  public init(of change: Change) {
    self.init(change.stamp, by: change.dot.node)
  }
}

extension ActionID: Comparable {
  /// Orders actions by stamp, then by node, as changes are ordered for display.
  public static func < (left: Self, right: Self) -> Bool {
    (left.stamp, left.node) < (right.stamp, right.node)
  }
}

extension ActionID: LosslessStringConvertible {
  /// Creates an id from `stamp:node`, each of sixteen hexadecimal digits.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16, let node = NodeID(String(parts[1])),
      let stamp = UInt64(hexDigits: Array(parts[0].utf8))
    else { return nil }
    self.init(Stamp(rawValue: stamp), by: node)
  }

  /// The action as `stamp:node`; it sorts as actions do.
  public var description: String { "\(stamp):\(node)" }
}
