internal import PaletteMerge
internal import PaletteModel

/// Changes of an author that follow each other in a commit, and came from the same connection.
///
/// A commit of many changes has few runs, so what is the same for all changes of one is asked once.
struct ChangeRun {
  let node: NodeID
  /// The connection from which they came; nil for changes made here.
  let origin: PeerConnectionID?
  private(set) var first: UInt32
  private(set) var last: UInt32
  /// The number of changes.
  private(set) var count = 1

  /// The runs of a commit, in order.
  static func runs(
    of dots: some Sequence<Dot>,
    from origin: (Dot) -> PeerConnectionID?
  ) -> [ChangeRun] {
    var runs: [ChangeRun] = []
    for dot in dots {
      let source = origin(dot)
      if let end = runs.indices.last, runs[end].node == dot.node, runs[end].origin == source {
        runs[end].first = min(runs[end].first, dot.sequence)
        runs[end].last = max(runs[end].last, dot.sequence)
        runs[end].count += 1
      } else {
        runs.append(
          ChangeRun(node: dot.node, origin: source, first: dot.sequence, last: dot.sequence)
        )
      }
    }
    return runs
  }
}
