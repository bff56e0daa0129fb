import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

extension FuzzTarget {
  static let snapshot = FuzzTarget(
    name: "snapshot",
    summary: "a snapshot, and what merging it does",
    lengthLimit: 4096,
    seeds: { try snapshots() },
    check: { bytes in
      guard
        let snapshot = try accepted(
          bytes,
          { () throws(MalformedFrame) in try Snapshot(decoding: bytes) }
        )
      else { return }
      try ensure(snapshot.encoded == bytes, "not the one encoding")
      var state = try Examples.state().state
      let before = state.digest
      do {
        try state.merge(snapshot)
      } catch {
        return try ensure(state.digest == before, "refused, and yet taken")
      }
      let once = state
      try state.merge(snapshot)
      try ensure(state.digest == once.digest && state.records == once.records, "not idempotent")
      _ = (state.name, state.listed, state.snapshot.encoded)
    }
  )

  static func snapshots() throws -> [[UInt8]] {
    let (whole, changes) = try Examples.state()
    var part = PaletteState(Examples.palette)
    for change in changes.prefix(4) { try part.merge(change) }
    var late = PaletteState(Examples.palette)
    for change in changes
    where try Change(decoding: change, in: Examples.palette).dot.node.rawValue > 1 {
      try late.merge(change)
    }
    return [
      PaletteState(Examples.palette).snapshot.encoded, part.snapshot.encoded,
      late.snapshot.encoded, whole.snapshot.encoded,
    ]
  }
}
