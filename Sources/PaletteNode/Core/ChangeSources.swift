internal import PaletteModel

/// Who sent the changes that are being merged.
///
/// Peers send an author's changes one after the other, so a few runs tell it of thousands.
struct ChangeSources {
  private struct Run {
    let first: UInt32
    var last: UInt32
    let link: LinkID
  }

  private var runs: [NodeID: [Run]] = [:]

  /// Whether nothing came from a peer.
  var isEmpty: Bool { runs.isEmpty }

  /// Notes who sent a change; the last to do so counts.
  mutating func note(_ dot: Dot, _ link: LinkID) {
    var own = runs.removeValue(forKey: dot.node) ?? []
    if let last = own.last, last.link == link, last.last < .max, last.last + 1 == dot.sequence {
      own[own.count - 1].last = dot.sequence
    } else {
      own.append(Run(first: dot.sequence, last: dot.sequence, link: link))
    }
    runs[dot.node] = own
  }

  /// Who sent a change; nil when no peer did.
  subscript(dot: Dot) -> LinkID? {
    runs[dot.node]?.last { $0.first <= dot.sequence && dot.sequence <= $0.last }?.link
  }
}
