extension PaletteState {
  /// A change with those of its values that are live.
  package struct LiveChange {
    /// The change.
    package let change: Change
    /// Its bytes.
    package let bytes: [UInt8]
    /// The registers whose values are live.
    package var registers: [Register]
    /// Whether a delete covers them.
    package let isCovered: Bool

    /// Describes a change.
    package init(change: Change, bytes: [UInt8], registers: [Register], isCovered: Bool) {
      self.change = change
      self.bytes = bytes
      self.registers = registers
      self.isCovered = isCovered
    }
  }

  /// The state that some live values amount to; nothing can be merged into it.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - live: The changes with live values.
  ///   - frontier: The newest change of every author.
  ///   - highestWrite: The newest one that wrote registers.
  ///   - dropped: The joined frontiers of drops.
  package init(
    _ palette: PaletteID,
    live: [LiveChange],
    frontier: Frontier,
    highestWrite: [NodeID: UInt32],
    dropped: [NodeID: UInt32]
  ) {
    self.init(palette)
    self.frontier = frontier
    self.highestWrite = highestWrite
    self.dropped = dropped
    for entry in live {
      let dot = entry.change.dot
      let hash = ChangeHash(of: entry.bytes, in: palette)
      log[dot] = entry.bytes
      facts[dot] = ChangeFacts(stamp: entry.change.stamp, hash: hash)
      for write in entry.change.writes where entry.registers.contains(write.register) {
        records[entry.change.record, default: RecordState()].insert(
          LiveValue(
            register: write.register,
            dot: dot,
            isCovered: entry.isCovered,
            value: write.value
          )
        )
      }
    }
    digest = computedDigest
  }
}
