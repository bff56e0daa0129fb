internal import PaletteMerge
internal import PaletteModel
internal import PaletteSync

/// The senders of the changes that are being merged.
///
/// Peers send each author's changes in order, so a few runs tell it of thousands, also where authors take
/// turns.
struct ChangeSources {
  private struct Run {
    let node: NodeID
    let first: UInt32
    var last: UInt32
    let connection: PeerConnectionID

    func contains(_ dot: Dot) -> Bool {
      node == dot.node && first <= dot.sequence && dot.sequence <= last
    }

    /// Takes the change that follows it, if the same peer sent it.
    mutating func extend(with dot: Dot, _ connection: PeerConnectionID) -> Bool {
      guard connection == self.connection, node == dot.node, last < .max,
        last + 1 == dot.sequence
      else { return false }
      last = dot.sequence
      return true
    }
  }

  /// The runs but the one that was added to last.
  private var runs: [NodeID: [Run]] = [:]
  private var newest: Run?

  /// The number of runs.
  var runCount: Int { runs.values.reduce(newest == nil ? 0 : 1) { $0 + $1.count } }

  /// True if nothing came from a peer.
  var isEmpty: Bool { newest == nil }

  /// Adds changes of one frame.
  mutating func add(_ arrived: ArrivedChanges, _ connection: PeerConnectionID) {
    for dot in arrived.dots { add(dot, connection) }
  }

  /// Adds a change; the last to send it counts.
  mutating func add(_ dot: Dot, _ connection: PeerConnectionID) {
    if newest?.extend(with: dot, connection) == true { return }
    if let newest { runs[newest.node, default: []].append(newest) }
    if var run = runs[dot.node]?.last, run.extend(with: dot, connection) {
      runs[dot.node]?.removeLast()
      newest = run
    } else {
      newest = Run(node: dot.node, first: dot.sequence, last: dot.sequence, connection: connection)
    }
  }

  /// The sender of a change; nil if no peer sent it.
  subscript(dot: Dot) -> PeerConnectionID? {
    if let newest, newest.contains(dot) { return newest.connection }
    return runs[dot.node]?.last { $0.contains(dot) }?.connection
  }
}
