import PaletteModel

/// The palettes of which the peer is asked how far it is, some at a time.
///
/// A library may have many thousands that differ. Asked for at once they would fill what may wait for a
/// peer, and their answers what may wait for us.
struct FrontierAsks: Hashable {
  /// How many questions may be open at once.
  static let limit = 1_000

  /// Those that were not asked for yet, the next one last.
  private var waiting: [PaletteID] = []
  private var open: Set<PaletteID> = []

  /// Adds palettes that are to be asked for, in this order.
  mutating func add(_ palettes: some Sequence<PaletteID>) {
    waiting = palettes.reversed() + waiting
  }

  /// The palette to ask for now; nil when none is left, or enough answers are awaited.
  mutating func next() -> PaletteID? {
    guard open.count < Self.limit, let palette = waiting.popLast() else { return nil }
    open.insert(palette)
    return palette
  }

  /// Notes that the peer has told how far it is with a palette, or need not be asked any more.
  mutating func close(_ palette: PaletteID) { open.remove(palette) }
}
