public import PaletteModel

extension ChangeStore {
  /// Issues own changes again under new dots, in one durable step; nothing of them is lost.
  ///
  /// This is what an author does whose changes others cannot take as they are: because these files
  /// were rolled back and the numbers were used twice, or because a peer does not take this node id.
  /// Own changes that saw one of them go along. Where a present node id is among those that are cut,
  /// the library goes on under a new one, and so does every author in it.
  ///
  /// - Parameter reissues: For each palette, what is to be issued again.
  /// - Returns: How many changes were issued again.
  /// - Throws: `StoreError` when the store failed, and then all is as it was.
  @discardableResult
  public func reissue(_ reissues: [PaletteID: Reissue]) throws(StoreError) -> Int {
    try write { transaction throws(StoreError) in
      var plans: [(PaletteID, ReissuePlan, StampShift?)] = []
      for (palette, reissue) in reissues.sorted(by: { $0.key < $1.key }) {
        let plan = try ReissuePlan(reissue, of: palette, in: self)
        guard !plan.tail.isEmpty else { continue }
        // Stamps only order what is concurrent: nothing that was compacted is given up for them.
        if reissue.shift != nil, try isBelowFloor(plan, palette) { continue }
        plans.append((palette, plan, reissue.shift))
      }
      if plans.contains(where: { $0.1.cuts.keys.contains(where: isPresent) }) {
        try identity.adoptNode()
      }
      var count = 0
      for (palette, plan, shift) in plans {
        guard let writer = try transaction.palette(palette) else { continue }
        count += try writer.reissue(plan, shift: shift)
        for (node, cut) in plan.cuts { try settle(node, after: cut.sequence, in: writer) }
      }
      return count
    }
  }

  /// Whether rows are missing of what a plan takes back, because changes of one author that saw those
  /// of another go along.
  private func isBelowFloor(
    _ plan: ReissuePlan,
    _ id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id) else { return false }
    let streams = try StreamTable(of: palette, in: self)
    return plan.cuts.contains { node, cut in cut.sequence < streams[node]?.floor ?? 0 }
  }

  /// Whether changes of an own node id after a number were issued again before.
  ///
  /// What is held there now came from a peer. Where it differs from another peer's it is not ours to
  /// heal: two peers that disagree would have us issue the same changes again for ever.
  public func isSettled(
    _ node: NodeID,
    after sequence: UInt32,
    in id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id),
      let stream = try StreamTable(of: palette, in: self)[node],
      let settled = try database.meta(.settled(stream))
    else { return false }
    return settled.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } <= sequence
  }

  private func settle(
    _ node: NodeID,
    after sequence: UInt32,
    in palette: PaletteWriter
  ) throws(StoreError) {
    guard let stream = palette.streams[node] else { return }
    let bytes = withUnsafeBytes(of: sequence.bigEndian) { [UInt8]($0) }
    try database.setMeta(.settled(stream), bytes)
  }
}

extension MetaKey {
  /// After which number changes of this author, one of this library's ids, were issued again.
  fileprivate static func settled(_ stream: StreamRow) -> MetaKey {
    MetaKey("settled.\(stream.number)")
  }
}
