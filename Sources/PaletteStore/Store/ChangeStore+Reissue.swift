internal import PaletteMerge
package import PaletteModel

/// Own changes that are made again, because others cannot take them as they are.
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
  package func reissue(_ reissues: [PaletteID: Reissue]) throws(StoreError) -> Int {
    var renamed: [PaletteID: [Dot: Dot]] = [:]
    try write { transaction throws(StoreError) in
      var plans: [(PaletteID, ReissuePlan, StampShift?)] = []
      for (palette, reissue) in reissues.sorted(by: { $0.key < $1.key }) {
        let plan = try ReissuePlan(reissue, of: palette, in: self, identity)
        guard !plan.tail.isEmpty else { continue }
        // Stamps only order what is concurrent: nothing that was compacted is given up for them.
        if reissue.shift != nil, try lacksCompacted(plan, palette) { continue }
        plans.append((palette, plan, reissue.shift))
      }
      if plans.contains(where: { $0.1.cuts.keys.contains(where: isPresent) }) {
        try identity.adoptNode()
      }
      for (palette, plan, shift) in plans {
        guard let writer = try transaction.palette(palette) else { continue }
        renamed[palette] = try Reissuing(in: writer).carryOut(plan, shift: shift)
        for (node, cut) in plan.cuts { try settle(node, after: cut.sequence, in: writer) }
      }
    }
    for (palette, dots) in renamed { parts.reissued.insert(dots, in: palette) }
    return renamed.values.reduce(0) { $0 + $1.count }
  }

  /// Returns whether a plan needs what was compacted away.
  ///
  /// Rows are missing of what it takes back where changes of one author that saw those of another go along.
  /// And what replaced or covered own changes whose hashes are gone could not say so, issued again, to those
  /// who hold them.
  private func lacksCompacted(
    _ plan: ReissuePlan,
    _ id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id) else { return false }
    let streams = try streams(of: palette)
    if plan.cuts.contains(where: { node, cut in cut.sequence < streams[node]?.floor ?? 0 }) {
      return true
    }
    for dot in Set(plan.unproven) where try link(of: dot, streams, in: id) == nil {
      if try nextProof(of: dot, streams, in: id) == nil { return true }
    }
    return false
  }

  /// Returns whether changes of an own node id after a number were issued again before.
  ///
  /// What is held there now came from a peer. Where it differs from another peer's it is not ours to
  /// heal: two peers that disagree would have us issue the same changes again for ever.
  package func isSettled(
    _ node: NodeID,
    after sequence: UInt32,
    in id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id),
      let stream = try streams(of: palette)[node],
      let settled = try number(.settled(stream))
    else { return false }
    return settled <= sequence
  }

  private func number(_ key: MetaKey) throws(StoreError) -> UInt32? {
    try database.meta(key)?.reduce(0) { $0 << 8 | UInt32($1) }
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

  /// Says again, under present ids, what own changes under former ids did that a peer takes from nobody.
  ///
  /// It holds some of them already, and cannot know whose the ids are. What was said again is remembered,
  /// and not said a second time. A member whose present id is meant goes on under another one.
  ///
  /// - Parameter cuts: For each palette and former id, the last number that need not be said again.
  /// - Returns: How many changes that took.
  /// - Throws: `StoreError` when the store failed, and then all is as it was.
  @discardableResult
  package func restate(_ cuts: [PaletteID: [NodeID: UInt32]]) throws(StoreError) -> Int {
    try write { transaction throws(StoreError) in
      var count = 0
      for (palette, cuts) in cuts.sorted(by: { $0.key < $1.key }) {
        guard let writer = try transaction.palette(palette) else { continue }
        var new: [NodeID: UInt32] = [:]
        for (node, sequence) in cuts {
          guard let author = author(of: node), let stream = writer.streams[node],
            try !isRestated(stream, after: sequence)
          else { continue }
          if isPresent(node) {
            // The library's own id is not one under which a peer refuses changes: it refuses the library.
            guard author != .library else { continue }
            try identity.adoptNode(of: author)
          }
          try database.setMeta(
            .restated(stream),
            withUnsafeBytes(of: sequence.bigEndian) { [UInt8]($0) }
          )
          new[node] = sequence
        }
        if !new.isEmpty { count += try Restating(in: writer).carryOut(after: new) }
      }
      return count
    }
  }

  /// Returns whether nothing is left to be said again of what an own id did after a number.
  package func isRestated(
    _ node: NodeID,
    after sequence: UInt32,
    in id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id),
      let stream = try streams(of: palette)[node]
    else { return true }
    return try isRestated(stream, after: sequence)
  }

  private func isRestated(
    _ stream: StreamRow,
    after sequence: UInt32
  ) throws(StoreError) -> Bool {
    guard stream.held > sequence else { return true }
    guard let known = try number(.restated(stream)) else { return false }
    return known <= sequence
  }
}

extension MetaKey {
  /// After which number changes of this author, one of this library's ids, were issued again.
  fileprivate static func settled(_ stream: StreamRow) -> MetaKey {
    MetaKey("settled.\(stream.number)")
  }
  /// After which number changes of this author, up to its last one, were said again.
  fileprivate static func restated(_ stream: StreamRow) -> MetaKey {
    MetaKey("restated.\(stream.number).\(stream.held)")
  }
}
