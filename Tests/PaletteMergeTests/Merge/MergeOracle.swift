import PaletteMerge
import PaletteModel

/// What a set of changes amounts to, straight from the definition and without any order.
///
/// It shares nothing with the engine's merge: it is quadratic, has no state, and looks at all
/// changes at once.
struct MergeOracle {
  struct Value: Hashable {
    let record: RecordID
    let register: Register
    let dot: Dot
    let value: RegisterValue
    let isCovered: Bool
  }

  let changes: [Change]
  private let proofs: [Dot: UInt32]

  init(changes: [Change], in palette: PaletteID) {
    self.changes = changes
    proofs = Dictionary(
      uniqueKeysWithValues: changes.map {
        ($0.dot, ChangeHash(of: $0.encoded, in: palette).proof)
      }
    )
  }

  /// Whether dots that were seen name a change: of another author's it must be the one that was meant.
  private func names(_ dot: Dot, _ seen: [SeenDot]) -> Bool {
    seen.contains { $0.dot == dot && ($0.proof == nil || $0.proof == proofs[dot]) }
  }

  /// The values that no change has replaced.
  var live: Set<Value> {
    var live: Set<Value> = []
    for change in changes {
      for write in change.writes {
        let isReplaced = changes.contains { other in
          other.record == change.record
            && other.writes.contains {
              $0.register == write.register && names(change.dot, $0.saw)
            }
        }
        guard !isReplaced else { continue }
        let isCovered = changes.contains {
          $0.record == change.record && names(change.dot, $0.covers)
        }
        live.insert(
          Value(
            record: change.record,
            register: write.register,
            dot: change.dot,
            value: write.value,
            isCovered: isCovered
          )
        )
      }
    }
    return live
  }

  /// The highest sequence of each author.
  var frontier: [NodeID: UInt32] {
    changes.reduce(into: [:]) { $0[$1.dot.node] = max($0[$1.dot.node] ?? 0, $1.dot.sequence) }
  }

  /// True when some write lies outside every drop's frontier.
  var isVisible: Bool {
    changes.contains { change in
      change.kind.writesRegisters
        && !changes.contains { drop in
          drop.kind == .drop
            && drop.frontier.contains {
              $0.dot.node == change.dot.node && $0.dot.sequence >= change.dot.sequence
                && names($0.dot, [$0])
            }
        }
    }
  }
}

extension PaletteState {
  /// The live values as the oracle gives them.
  var live: Set<MergeOracle.Value> {
    Set(
      records.flatMap { record, state in
        state.values.map {
          MergeOracle.Value(
            record: record,
            register: $0.register,
            dot: $0.dot,
            value: $0.value,
            isCovered: $0.isCovered
          )
        }
      }
    )
  }
}
