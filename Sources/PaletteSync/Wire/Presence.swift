public import PaletteModel

/// A view of a palette: the latest statement wins, and none is ever stored.
public struct Presence: Hashable, Sendable {
  /// One view of somebody: a terminal, a page.
  public struct Who: Hashable, Comparable, Sendable {
    /// The node that the view is connected to.
    public let node: NodeID
    /// A number that the node gives to the view.
    public let session: UInt64

    /// Names a view.
    public init(node: NodeID, session: UInt64) {
      self.node = node
      self.session = session
    }

    /// Orders by node and number.
    public static func < (left: Self, right: Self) -> Bool {
      (left.node, left.session) < (right.node, right.session)
    }
  }

  /// The most bytes of a name.
  public static let nameBytes = 64

  /// The owner of the view.
  public let who: Who
  /// The name that the person wants to have.
  public let name: String
  /// The time of the statement, by the clock of that node; later wins.
  public let milliseconds: UInt64
  /// The palette that is looked at; nil when nothing is any more.
  public let palette: PaletteID?
  /// The color that is selected.
  public let selection: RecordID?

  /// Describes a view; a name that is too long is cut.
  public init(
    who: Who,
    name: String,
    milliseconds: UInt64,
    palette: PaletteID?,
    selection: RecordID? = nil
  ) {
    self.who = who
    self.name = name.cut(toBytes: Self.nameBytes)
    self.milliseconds = milliseconds
    self.palette = palette
    self.selection = palette == nil ? nil : selection
  }

  /// The statement that the view is gone.
  public func gone(milliseconds: UInt64) -> Presence {
    Presence(who: who, name: name, milliseconds: milliseconds, palette: nil)
  }
}

extension String {
  /// The beginning that has no more than so many bytes.
  func cut(toBytes limit: Int) -> String {
    var result = self
    while result.utf8.count > limit { result.removeLast() }
    return result
  }
}
