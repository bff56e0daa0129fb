import PaletteModel

/// The changes of a palette whose values were covered before all of the past that is known.
///
/// What covered them is not held: it was compacted, or came with a snapshot as a bit of the live values.
/// That bit goes with the values when they are replaced, and does not say since when it is there.
struct CoveredBefore {
  private var numbers: Set<Int64> = []

  /// Reads what is remembered of a palette.
  init(of palette: PaletteRow, in database: StoreDatabase) throws(StoreError) {
    var number: Int64 = 0
    for (index, byte) in (try database.meta(.covered(in: palette)) ?? []).enumerated() {
      number = number << 8 | Int64(byte)
      if index % 8 == 7 { numbers.insert(number) }
    }
  }

  /// Returns whether a change is among them.
  func contains(_ number: Int64) -> Bool { numbers.contains(number) }

  /// Adds changes, because what covers them is not held.
  ///
  /// - Parameters:
  ///   - dots: The changes.
  ///   - held: All that are held, where others are to be forgotten.
  ///   - palette: Their palette.
  ///   - streams: Its authors.
  ///   - database: The library's database.
  /// - Throws: `StoreError` when the store failed.
  static func insert(
    _ dots: some Sequence<Dot>,
    holding held: Set<Dot>? = nil,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    let covered = dots.compactMap { streams.changeNumber($0) }
    guard !covered.isEmpty || held != nil else { return }
    try alter(palette, database) { numbers in
      numbers.formUnion(covered)
      if let held { numbers.formIntersection(held.compactMap { streams.changeNumber($0) }) }
    }
  }

  /// Removes changes, because what covered them is held now.
  static func remove(
    _ dots: Set<Dot>,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    guard !dots.isEmpty else { return }
    try alter(palette, database) { $0.subtract(dots.compactMap { streams.changeNumber($0) }) }
  }

  private static func alter(
    _ palette: PaletteRow,
    _ database: StoreDatabase,
    _ body: (inout Set<Int64>) -> Void
  ) throws(StoreError) {
    let before = try CoveredBefore(of: palette, in: database).numbers
    var numbers = before
    body(&numbers)
    guard numbers != before else { return }
    guard !numbers.isEmpty else { return try database.removeMeta(.covered(in: palette)) }
    var bytes: [UInt8] = []
    for number in numbers.sorted() {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    try database.setMeta(.covered(in: palette), bytes)
  }
}

extension MetaKey {
  fileprivate static func covered(in palette: PaletteRow) -> MetaKey {
    MetaKey("covered.\(palette.number)")
  }
}
