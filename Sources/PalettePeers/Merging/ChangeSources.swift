internal import PaletteMerge
internal import PaletteModel
internal import PaletteSync

/// The senders of the changes that are being merged.
///
/// Peers send an author's changes one after the other, so a few runs tell it of thousands.
struct ChangeSources {
  private struct Run {
    let node: NodeID
    let first: UInt32
    var last: UInt32
    let connection: PeerConnectionID

    func contains(_ dot: Dot) -> Bool {
      node == dot.node && first <= dot.sequence && dot.sequence <= last
    }
  }

  /// The runs but the newest.
  private var runs: [NodeID: [Run]] = [:]
  private var newest: Run?

  /// True if nothing came from a peer.
  var isEmpty: Bool { newest == nil }

  /// Adds changes of one frame.
  mutating func add(_ arrived: ArrivedChanges, _ connection: PeerConnectionID) {
    for dot in arrived.dots { add(dot, connection) }
  }

  /// Adds a change; the last to send it counts.
  mutating func add(_ dot: Dot, _ connection: PeerConnectionID) {
    if let run = newest {
      let follows = run.node == dot.node && run.last < .max && run.last + 1 == dot.sequence
      if follows, run.connection == connection {
        newest?.last = dot.sequence
        return
      }
      runs[run.node, default: []].append(run)
    }
    newest = Run(node: dot.node, first: dot.sequence, last: dot.sequence, connection: connection)
  }

  /// The sender of a change; nil if no peer sent it.
  subscript(dot: Dot) -> PeerConnectionID? {
    if let newest, newest.contains(dot) { return newest.connection }
    return runs[dot.node]?.last { $0.contains(dot) }?.connection
  }
}
