package import PaletteMerge
package import PaletteModel

extension Frontier {
  /// The entries in parts that fit into a frame each; at least one part.
  var parts: [(part: Frontier, isLast: Bool)] {
    let size = SyncProtocol.frontierEntries
    guard count > size else { return [(self, true)] }
    let entries = sorted { $0.key < $1.key }
    return stride(from: 0, to: count, by: size).map { start in
      let part = entries[start..<Swift.min(start + size, count)]
      return (
        Frontier(uniqueKeysWithValues: part.map { ($0.key, $0.value) }), start + size >= count
      )
    }
  }

  /// Returns whether everything that another frontier holds is held.
  func covers(_ other: Frontier) -> Bool {
    other.allSatisfy { self[$0.key]?.sequence ?? 0 >= $0.value.sequence }
  }

  /// The number of changes there have been.
  var changeCount: Int { values.reduce(0) { $0 + Int($1.sequence) } }

  /// The frontier when these changes are held too.
  func after(_ changes: [OutgoingChange]) -> Frontier {
    var frontier = self
    for index in changes.indices {
      let dot = changes[index].dot
      // Only the last of those that an author made in a row counts.
      if index + 1 < changes.count, changes[index + 1].dot.node == dot.node { continue }
      // Nobody compares the links of what was sent.
      frontier[dot.node] = StreamHead(sequence: dot.sequence, link: 0)
    }
    return frontier
  }

  /// The frontier when these changes were not held yet.
  package func before(_ dots: some Sequence<Dot>) -> Frontier {
    var frontier = self
    for dot in dots {
      guard let head = frontier[dot.node], head.sequence >= dot.sequence else { continue }
      let sequence = dot.sequence - 1
      frontier[dot.node] = sequence == 0 ? nil : StreamHead(sequence: sequence, link: 0)
    }
    return frontier
  }
}
