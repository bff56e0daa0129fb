import PaletteModel

/// How far a session is with one palette.
enum PaletteProgress: Hashable {
  /// Our frontier was sent; the peer's is awaited.
  case comparing
  /// The log is being pushed; this much the peer has or was sent.
  case pushing(sent: Frontier)
  /// A snapshot is being pushed, and the log after it.
  case pushingSnapshot(rest: ArraySlice<UInt8>, index: UInt64, sent: Frontier)
  /// The same, packed.
  case pushingPacked(SnapshotPush)
  /// The peer has or was sent everything; new changes are pushed as they come.
  case live
}
