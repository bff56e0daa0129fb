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

  /// Whether a change is among them.
  func contains(_ number: Int64) -> Bool { numbers.contains(number) }

  /// Adds changes, and forgets those that are not held any more.
  mutating func add(_ more: some Sequence<Int64>, holding held: Set<Int64>? = nil) {
    numbers.formUnion(more)
    if let held { numbers.formIntersection(held) }
  }

  /// Forgets changes.
  mutating func remove(_ others: some Sequence<Int64>) { numbers.subtract(others) }

  /// Writes what is remembered of a palette.
  func write(of palette: PaletteRow, in database: StoreDatabase) throws(StoreError) {
    var bytes: [UInt8] = []
    for number in numbers.sorted() {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    try database.setMeta(.covered(in: palette), bytes)
  }
}

extension PaletteWriter {
  /// Remembers changes that are covered by what is not held.
  ///
  /// - Parameters:
  ///   - dots: The changes.
  ///   - held: All that are held, where others are to be forgotten.
  /// - Throws: `StoreError` when the store failed.
  func rememberCovered(
    _ dots: some Sequence<Dot>,
    holding held: Set<Dot>? = nil
  ) throws(StoreError) {
    let numbers = dots.compactMap { streams.changeNumber($0) }
    guard !numbers.isEmpty || held != nil else { return }
    var covered = try CoveredBefore(of: row, in: store.database)
    covered.add(numbers, holding: held.map { Set($0.compactMap { streams.changeNumber($0) }) })
    try covered.write(of: row, in: store.database)
  }

  /// Forgets changes, because what covered them is held now.
  func forgetCovered(_ dots: Set<Dot>) throws(StoreError) {
    guard !dots.isEmpty else { return }
    var covered = try CoveredBefore(of: row, in: store.database)
    covered.remove(dots.compactMap { streams.changeNumber($0) })
    try covered.write(of: row, in: store.database)
  }
}

extension MetaKey {
  fileprivate static func covered(in palette: PaletteRow) -> MetaKey {
    MetaKey("covered.\(palette.number)")
  }
}
