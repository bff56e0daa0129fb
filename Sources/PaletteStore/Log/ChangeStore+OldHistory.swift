public import PaletteModel

/// Rows of one author that a library has, among those that another lacks.
public struct HistoryPart: Hashable, Sendable {
  /// Up to which number these are all the rows that the library has.
  public var last: UInt32
  /// Before which time, in milliseconds since 1970, the library knows no past; nil when it knows all.
  public var sinceMilliseconds: Int64?
  /// The rows, by ascending numbers; some may be missing in between.
  public var changes: [[UInt8]]

  /// Describes rows.
  public init(last: UInt32, sinceMilliseconds: Int64?, changes: [[UInt8]]) {
    self.last = last
    self.sinceMilliseconds = sinceMilliseconds
    self.changes = changes
  }
}

extension ChangeStore {
  /// Before which time, in milliseconds since 1970, the past of a palette is not known; nil when all
  /// of it is.
  public func historySince(of id: PaletteID) throws(StoreError) -> Int64? {
    try paletteRow(id)?.sinceMilliseconds
  }

  /// The numbers up to which rows of authors may be missing; only authors of whom some may be.
  public func floors(of id: PaletteID) throws(StoreError) -> [NodeID: UInt32] {
    guard let palette = try paletteRow(id) else { return [:] }
    var floors: [NodeID: UInt32] = [:]
    for stream in try StreamTable(of: palette, in: self).all where stream.floor > 0 {
      floors[stream.node] = stream.floor
    }
    return floors
  }

  /// Some rows of an author, from a number on.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - node: The author.
  ///   - numbers: Of which changes.
  ///   - byteLimit: How many bytes are enough.
  /// - Returns: The first of these rows that are here.
  /// - Throws: `StoreError` when the store failed.
  public func oldHistory(
    of id: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) throws(StoreError) -> HistoryPart {
    var part = HistoryPart(last: numbers.upperBound, sinceMilliseconds: nil, changes: [])
    guard let palette = try paletteRow(id),
      let stream = try StreamTable(of: palette, in: self)[node]
    else {
      // Whoever has never heard of an author knows nothing of its past.
      part.sinceMilliseconds = .max
      return part
    }
    part.sinceMilliseconds = palette.sinceMilliseconds
    let select = try box(.nextChangeRows)
    try select.statement.bind(stream.changeNumber(numbers.lowerBound), at: 1)
    try select.statement.bind(stream.changeNumber(numbers.upperBound), at: 2)
    try select.statement.bind(Int64(max(1, byteLimit / 64)), at: 3)
    var rows: [(sequence: UInt32, bytes: [UInt8])] = []
    try select.statement.rows { row in
      let sequence = UInt32(truncatingIfNeeded: row.int64(0))
      rows.append((sequence, row.changeBytes(2, of: Dot(node, sequence))))
    }
    var size = 0
    let taken = rows.prefix { row in
      defer { size += row.bytes.count }
      return size + row.bytes.count <= byteLimit || size == 0
    }
    part.changes = taken.map(\.bytes)
    let isWhole = taken.count == rows.count && rows.count < max(1, byteLimit / 64)
    if !isWhole, let last = taken.last { part.last = last.sequence }
    return part
  }

  /// Takes rows into the log that were missing, without changing any state.
  ///
  /// - Parameters:
  ///   - parts: The rows of each author, by ascending numbers, all from one library.
  ///   - id: The palette.
  /// - Returns: Why they are not taken, and then nothing of them is; nil when they were.
  /// - Throws: `StoreError` when the store failed.
  public func mergeOldHistory(
    _ parts: [NodeID: HistoryPart],
    into id: PaletteID
  ) throws(StoreError) -> Refusal? {
    var refusal: Refusal?
    do throws(StoreError) {
      try write { transaction throws(StoreError) in
        refusal = try transaction.palette(id)?.mergeOldHistory(parts)
        if refusal != nil { throw StoreError(code: .failed, message: "the history was refused") }
      }
    } catch {
      guard refusal != nil else { throw error }
    }
    return refusal
  }
}
