internal import PaletteMerge
package import PaletteModel

/// The correction of a clock that is wrong, and which changes can still be put right by it.
extension ChangeStore {
  /// The reading of the node's clock.
  public var nowMilliseconds: Int64 { clock.nowMilliseconds }

  /// The correction of the clock for stamps, because peers say that it is wrong; usually 0.
  package var clockOffsetMilliseconds: Int64 { clock.offsetMilliseconds }

  /// The time by the corrected clock, in milliseconds since 1970.
  package var correctedMilliseconds: Int64 { clock.correctedMilliseconds }

  /// Keeps what is to be added to the clock from now on.
  package func keep(clockOffsetMilliseconds offset: Int64) throws(StoreError) {
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
  package func beginOffering() throws(StoreError) {
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
  package func endOffering(of palettes: Set<PaletteID>? = nil) throws(StoreError) -> Bool {
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
  package func restamping(_ shift: StampShift) throws(StoreError) -> [PaletteID: Reissue] {
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
        let change = try ChangeRow.decode(row.changeBytes(1, of: dot), in: stream.palette)
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
}

extension MetaKey {
  /// The correction of the clock, in milliseconds as text.
  fileprivate static let clockOffset = MetaKey("clock.offset")
  /// There while own changes may be given away.
  fileprivate static let offering = MetaKey("offering")
  /// Followed by the number of a stream: up to where it may have been given away.
  fileprivate static let offered = "offered."
}
