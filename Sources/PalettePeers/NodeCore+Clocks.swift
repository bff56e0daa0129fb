internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// A clock that is wrong is noticed by its peers' and put right for stamps.
extension NodeCore {
  /// Corrections that differ by less are the same.
  private static let clockStepMilliseconds: Int64 = 60_000

  /// Reads a peer's clock.
  package func readClock(_ theirs: UInt64, _ sent: UInt64?, _ id: PeerConnectionID) {
    let elapsed = sent.map { store.correctedMilliseconds - Int64(min($0, 1 << 48)) }
    if let elapsed, (0...PeerClocks.toleranceMilliseconds).contains(elapsed) {
      describe(id) { $0.roundTripMilliseconds = elapsed }
    }
    let now = store.nowMilliseconds
    guard let offset = clocks.read(theirs, at: now, elapsed: elapsed, on: id) else { return }
    describe(id) { $0.clockOffsetMilliseconds = offset }
  }

  /// Corrects the clock when it is far from the peers', and the stamps of what never left.
  package func adjustClock() throws {
    let isFirstContact = clocks.removeFirstContact()
    guard let offset = clocks.correction(for: store.node) else { return }
    let wanted = abs(offset) > PeerClocks.toleranceMilliseconds ? offset : 0
    let kept = store.clockOffsetMilliseconds
    guard abs(wanted - kept) > Self.clockStepMilliseconds else { return }
    try store.keep(clockOffsetMilliseconds: wanted)
    emit(.log(.clock, isProblem: wanted != 0, Self.clockText(wanted)))
    emit(.peersChanged)
    // Once a connection gives changes away they have left: only before that they can be changed.
    guard isFirstContact else { return }
    let shift = StampShift(
      milliseconds: wanted - kept,
      nowMilliseconds: store.correctedMilliseconds
    )
    reissues.add(try store.restamping(shift))
  }

  private static func clockText(_ offset: Int64) -> String {
    if offset == 0 { return "the clock is right again" }
    let (seconds, way) = (abs(offset) / 1_000, offset > 0 ? "behind" : "ahead of")
    return "the clock is \(seconds) s \(way) the peers': changes are stamped with theirs"
  }
}
