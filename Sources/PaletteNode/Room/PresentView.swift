public import PaletteModel
internal import PaletteSync

/// A view of a palette at this node or another: an app, a page or a terminal that somebody looks at.
public struct PresentView: Identifiable, Hashable, Sendable {
  /// The name of a view, which no other view has.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    private let who: Presence.Who

    init(_ who: Presence.Who) {
      self.who = who
    }

    /// The node of the view, a colon, and a number that the node gives to it.
    public var description: String { "\(who.node):\(who.session)" }
  }

  /// The name of the view, which no other one has.
  public let id: ID
  /// The name that whoever looks wants to have; a claim.
  public let name: String
  /// The name of the author who edits there; nil if it is not known.
  public let author: String?
  /// The node id under which edits are made there; nil before the first one.
  public let node: NodeID?
  /// The member that looks, as lists of members call it; nil for this library itself, and at other nodes.
  public let member: String?
  /// The selected color; nil where none is.
  public let selection: RecordID?
}
