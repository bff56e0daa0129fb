import PaletteModel

/// The changes of a palette whose values were covered before all of the past that is known.
///
/// What covered them is not held: it was compacted, or came with a snapshot as a bit of the live values.
/// That bit goes with the values when they are replaced, and does not say since when it is there.
struct CoveredBefore {
  fileprivate var numbers: Set<Int64> = []

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
    let covered = dots.compactMap { streams.changeNumber($0) }
    guard !covered.isEmpty || held != nil else { return }
    try alterCovered { numbers in
      numbers.formUnion(covered)
      if let held { numbers.formIntersection(held.compactMap { streams.changeNumber($0) }) }
    }
  }

  /// Forgets changes, because what covered them is held now.
  func forgetCovered(_ dots: Set<Dot>) throws(StoreError) {
    guard !dots.isEmpty else { return }
    try alterCovered { $0.subtract(dots.compactMap { streams.changeNumber($0) }) }
  }

  private func alterCovered(_ body: (inout Set<Int64>) -> Void) throws(StoreError) {
    let before = try CoveredBefore(of: row, in: store.database).numbers
    var numbers = before
    body(&numbers)
    guard numbers != before else { return }
    guard !numbers.isEmpty else { return try store.database.removeMeta(.covered(in: row)) }
    var bytes: [UInt8] = []
    for number in numbers.sorted() {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    try store.database.setMeta(.covered(in: row), bytes)
  }
}

extension MetaKey {
  fileprivate static func covered(in palette: PaletteRow) -> MetaKey {
    MetaKey("covered.\(palette.number)")
  }
}
