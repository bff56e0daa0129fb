internal import PaletteMerge
public import PaletteModel

/// The correction of a clock that is wrong, and which changes can still be put right by it.
extension ChangeStore {
  /// The reading of the node's clock.
  public var nowMilliseconds: Int64 { clock.nowMilliseconds }

  /// The correction of the clock for stamps, because peers say that it is wrong; usually 0.
  public var clockOffsetMilliseconds: Int64 { clock.offsetMilliseconds }

  /// The time by the corrected clock, in milliseconds since 1970.
  public var correctedMilliseconds: Int64 { clock.correctedMilliseconds }

  /// Keeps what is to be added to the clock from now on.
  public func keep(clockOffsetMilliseconds offset: Int64) throws(StoreError) {
    try transactions.write { () throws(StoreError) in
      try database.setMeta(.clockOffset, Array("\(offset)".utf8))
    }
    clock.correct(byMilliseconds: offset)
  }

  func loadClockOffset() throws(StoreError) {
    let bytes = try database.meta(.clockOffset) ?? []
    clock.correct(byMilliseconds: Int64(String(decoding: bytes, as: UTF8.self)) ?? 0)
  }

  /// Keeps durably that own changes are given away from now on, before the first one is.
  public func beginOffering() throws(StoreError) {
    guard try database.meta(.offering) == nil else { return }
    try transactions.write { () throws(StoreError) in try database.setMeta(.offering, []) }
  }

  /// Keeps that all own changes up to now may have been given away, and later ones have not.
  ///
  /// - Parameter palettes: The only palettes in which own changes may have come since this was kept
  ///   last; nil where that is not known.
  /// - Returns: Whether anything was given away since.
  /// - Throws: `StoreError` when the library cannot be written.
  @discardableResult
  public func endOffering(of palettes: Set<PaletteID>? = nil) throws(StoreError) -> Bool {
    guard try database.meta(.offering) != nil else { return false }
    try transactions.write { () throws(StoreError) in
      let offer = """
        INSERT OR REPLACE INTO meta(key, value)
        SELECT '\(MetaKey.offered)' || id, CAST(held AS BLOB) FROM stream
        WHERE node IN (SELECT node FROM identity)
        """
      if let palettes {
        let one = try database.prepare(
          offer + " AND palette = (SELECT id FROM palette WHERE uuid = ?1)"
        )
        for palette in palettes.sorted() {
          try one.bind(palette.record, at: 1)
          try one.run()
        }
      } else {
        try database.execute(offer)
      }
      try database.removeMeta(.offering)
    }
    return true
  }

  /// The changes that have to be issued again so that those which never left have right stamps.
  ///
  /// Up to the floor rows may be missing, and what cannot be issued again would be lost: stamps only
  /// order what is concurrent, so there they stay as they are. And so do those of earlier ids: what these
  /// files do not know to have left may have left before they were recovered or copied.
  public func restamping(_ shift: StampShift) throws(StoreError) -> [PaletteID: Reissue] {
    var streams: [(palette: PaletteID, number: Int64, node: NodeID, fixed: UInt32)] = []
    try database.prepare(
      """
      SELECT uuid, stream.id, node,
        max(floor, coalesce(CAST(CAST(value AS TEXT) AS INTEGER), 0))
      FROM stream JOIN palette ON palette.id = palette
      LEFT JOIN meta ON key = '\(MetaKey.offered)' || stream.id
      WHERE node IN (SELECT node FROM identity)
      """
    ).rows { row throws(StoreError) in
      streams.append(
        (
          PaletteID(try row.recordID(0)), row.int64(1),
          NodeID(UInt64(bitPattern: row.int64(2))),
          UInt32(truncatingIfNeeded: row.int64(3))
        )
      )
    }
    var reissues: [PaletteID: Reissue] = [:]
    let select = try box(.changeBytes)
    for stream in streams where identity.ids.isPresent(stream.node) {
      var first: UInt32?
      try select.statement.bind(stream.number << 32 | Int64(stream.fixed) + 1, at: 1)
      try select.statement.bind(stream.number << 32 | Int64(UInt32.max), at: 2)
      try select.statement.rows { row throws(StoreError) in
        let dot = Dot(stream.node, UInt32(truncatingIfNeeded: row.int64(0)))
        let change = try decode(row.changeBytes(1, of: dot), in: stream.palette)
        if first == nil, shift.applied(to: change.stamp) != change.stamp {
          first = change.dot.sequence
        }
      }
      guard let first else { continue }
      reissues[stream.palette, default: Reissue(cuts: [:], shift: shift)].cuts[stream.node] =
        Reissue.Cut(after: first - 1)
    }
    return reissues
  }

  /// The number of changes of a palette that are followed before the next are issued again.
  private static let followedLimit = 100_000

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
    var renamed: [PaletteID: [Dot: Dot]] = [:]
    try write { transaction throws(StoreError) in
      var plans: [(PaletteID, ReissuePlan, StampShift?)] = []
      for (palette, reissue) in reissues.sorted(by: { $0.key < $1.key }) {
        let plan = try ReissuePlan(reissue, of: palette, in: self)
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
        renamed[palette] = try writer.reissue(plan, shift: shift)
        for (node, cut) in plan.cuts { try settle(node, after: cut.sequence, in: writer) }
      }
    }
    for (palette, dots) in renamed {
      // A peer may have all issued again several times an hour. Who saw what is followed no more edits
      // beside it, and nothing is lost.
      let isFull = issuedAgain[palette, default: [:]].count > Self.followedLimit
      if isFull { issuedAgain[palette] = nil }
      issuedAgain[palette, default: [:]].merge(dots) { _, new in new }
    }
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
    let streams = try StreamTable(of: palette, in: self)
    if plan.cuts.contains(where: { node, cut in cut.sequence < streams[node]?.floor ?? 0 }) {
      return true
    }
    for dot in Set(plan.unproven) where try link(of: dot, streams, in: id) == nil {
      if try nextProof(of: dot, streams, in: id) == nil { return true }
    }
    return false
  }

  /// The first four bytes of the hash of a change whose row was compacted away, by the link that its
  /// author's next change has to it; nil where that is not here either.
  func nextProof(
    of dot: Dot,
    _ streams: StreamTable,
    in id: PaletteID
  ) throws(StoreError) -> UInt32? {
    guard dot.sequence < Dot.lastSequence,
      let bytes = try changeBytes(Dot(dot.node, dot.sequence + 1), streams)
    else { return nil }
    return UInt32(truncatingIfNeeded: try decode(bytes, in: id).previous >> 32)
  }

  /// Returns whether changes of an own node id after a number were issued again before.
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
  /// The correction of the clock, in milliseconds as text.
  fileprivate static let clockOffset = MetaKey("clock.offset")
  /// There while own changes may be given away.
  fileprivate static let offering = MetaKey("offering")
  /// Followed by the number of a stream: up to where it may have been given away.
  fileprivate static let offered = "offered."

  /// After which number changes of this author, one of this library's ids, were issued again.
  fileprivate static func settled(_ stream: StreamRow) -> MetaKey {
    MetaKey("settled.\(stream.number)")
  }
}
