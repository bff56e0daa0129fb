/// How much a library shows, all palettes together.
public struct LibraryTotals: Hashable, Sendable {
  /// Palettes that have a name and are not dropped.
  public let palettes: Int
  /// The colors that they list.
  public let colors: Int
  /// Their registers that have different live values.
  public let conflicts: Int
}

extension ChangeStore {
  /// Counts without reading what each palette is called.
  public func totals() throws(StoreError) -> LibraryTotals {
    let select = try connection.prepare(
      """
      SELECT count(*), coalesce(sum(colors), 0), coalesce(sum(conflicts), 0) FROM palette
      WHERE EXISTS(SELECT 1 FROM stream WHERE stream.palette = palette.id AND wrote > dropped)
      AND EXISTS(
        SELECT 1 FROM record
        WHERE record.palette = palette.id AND record.uuid = palette.uuid AND record.name NOT NULL
      )
      """
    )
    let totals = try select.row { row in
      LibraryTotals(
        palettes: Int(row.int64(0)),
        colors: Int(row.int64(1)),
        conflicts: Int(row.int64(2))
      )
    }
    return totals ?? LibraryTotals(palettes: 0, colors: 0, conflicts: 0)
  }
}
