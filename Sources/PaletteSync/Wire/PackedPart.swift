import PaletteMerge

/// A part of a snapshot in columns, of which those worth it are squeezed.
public struct PackedPart: Hashable, Sendable {
  /// Its index, from 0.
  public var index: UInt64
  /// True if nothing follows.
  public var isLast: Bool
  /// The column that stays as it is.
  public var plain: [UInt8]
  /// The other columns, squeezed.
  public var squeezed: [UInt8]

  /// Creates a part as it travels.
  public init(index: UInt64, isLast: Bool, plain: [UInt8], squeezed: [UInt8]) {
    self.index = index
    self.isLast = isLast
    self.plain = plain
    self.squeezed = squeezed
  }

  /// Creates a part of a piece of the head, and rows.
  init(index: UInt64, isLast: Bool, head: ArraySlice<UInt8>, _ rows: PackedRows) {
    self.init(
      index: index,
      isLast: isLast,
      plain: rows.plain,
      squeezed: rows.squeezed(behind: head)
    )
  }

  /// The piece of the head, and the rows.
  ///
  /// - Throws: `MalformedFrame` when it holds no columns.
  func contents() throws(MalformedFrame) -> (head: [UInt8], rows: PackedRows) {
    try PackedRows.expand(plain, squeezed)
  }
}
