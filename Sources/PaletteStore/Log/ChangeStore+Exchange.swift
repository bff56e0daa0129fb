public import PaletteModel

extension ChangeStore {
  /// The changes of a palette that a frontier lacks, in an order in which they can be merged.
  ///
  /// - Returns: The bytes of the changes; nil when some of them were compacted away here, so that
  ///   only a snapshot has what is lacking.
  public func changes(
    of id: PaletteID,
    after frontier: Frontier = [:]
  ) throws(StoreError) -> [[UInt8]]? {
    guard let palette = try paletteRow(id) else { return [] }
    var rows: [(arrival: Int64, bytes: [UInt8])] = []
    let select = try box(.changesUp)
    for stream in try StreamTable(of: palette, in: self).all {
      let held = frontier[stream.node]?.sequence ?? 0
      guard held < stream.held else { continue }
      if held < stream.floor { return nil }
      try select.statement.bind(stream.changeNumber(held) + 1, at: 1)
      try select.statement.bind(stream.changeNumber(stream.held), at: 2)
      try select.statement.rows { row in rows.append((row.int64(1), row.bytes(2))) }
    }
    // Arrival is a causal order, and keeps every author's sequence.
    return rows.sorted { $0.arrival < $1.arrival }.map(\.bytes)
  }

  /// Merges changes of a palette that came from elsewhere, in one durable step.
  ///
  /// - Returns: What became of each.
  @discardableResult
  public func merge(
    _ changes: [[UInt8]],
    into id: PaletteID
  ) throws(StoreError) -> [Arrival] {
    try write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: id)
      var arrivals: [Arrival] = []
      for bytes in changes { arrivals.append(try palette.merge(bytes)) }
      return arrivals
    }
  }
}
