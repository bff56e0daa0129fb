import PaletteModel

/// The reports and questions that a peer may send on one connection; changes and snapshots have
/// their credit.
///
/// An honest node stays far below: it asks for what it was told of, and states what it holds once.
struct PeerBudget: Hashable {
  /// Control frames a second, in the long run and at once.
  static let unitsPerSecond = 1_000

  /// The most bytes of frontiers and lists of palettes that are kept of a peer.
  var statementBytes = 4 << 20
  private var units = PeerBudget.unitsPerSecond
  private var milliseconds: UInt64 = 0
  /// The palettes whose frontier the peer has stated: the first time is free, for as many as a
  /// library has.
  private var stated: Set<PaletteID> = []

  /// The most palettes of a library.
  private static let paletteLimit = 100_000

  /// Counts a frame.
  ///
  /// - Returns: False when it is one too many.
  mutating func admits(_ frame: Frame, atMilliseconds now: UInt64) -> Bool {
    switch frame {
    case .changes, .snapshot, .packed, .packedChanges, .whole, .ack, .acks, .pong, .palettes:
      // These follow what was pushed, have credit, or are kept and counted.
      return true
    case .frontier(let palette, let part, _, _, _):
      if isFirst(of: palette) { return true }
      return pay(1 + part.count / 64, now)
    case .lacking(let palettes):
      return pay(palettes.reduce(0) { $0 + (isFirst(of: $1) ? 0 : 1) }, now)
    case .linksOf(_, _, let sequences): return pay(1 + sequences.count / 16, now)
    case .historyOf: return pay(4, now)
    case .bindings(let bindings): return pay(1 + bindings.count / 64, now)
    default: return pay(1, now)
    }
  }

  /// Returns whether the peer has not told yet how far it is with a palette.
  private mutating func isFirst(of palette: PaletteID) -> Bool {
    stated.count < Self.paletteLimit && stated.insert(palette).inserted
  }

  private mutating func pay(_ cost: Int, _ now: UInt64) -> Bool {
    // A clock that goes back gives nothing.
    let elapsed = now > milliseconds ? min(now - milliseconds, 1_000) : 0
    let earned = Int(elapsed) * Self.unitsPerSecond / 1_000
    if earned > 0 || now < milliseconds {
      units = min(Self.unitsPerSecond, units + earned)
      milliseconds = now
    }
    units -= cost
    return units >= 0
  }
}
