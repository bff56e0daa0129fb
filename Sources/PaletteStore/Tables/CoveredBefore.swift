import PaletteModel

/// The changes of a palette whose values were covered before all of the past that is known.
///
/// What covered them is not held: it was compacted, or came with a snapshot as a bit of the live values.
/// That bit goes with the values when they are replaced, and does not say since when it is there.
struct CoveredBefore {
  /// Their numbers, ascending.
  let numbers: [Int64]

  /// Reads what is remembered of a palette.
  init(of palette: PaletteRow, in database: StoreDatabase) throws(StoreError) {
    numbers = (try database.meta(.covered(in: palette)) ?? []).withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count / 8 * 8, by: 8).map {
        Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
      }
    }
  }

  /// Returns whether a change is among them.
  func contains(_ number: Int64) -> Bool {
    let index = numbers.endOfPrefix { $0 < number }
    return index < numbers.count && numbers[index] == number
  }

  /// Adds changes, because what covers them is not held.
  static func insert(
    _ dots: some Sequence<Dot>,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    let added = Set(dots.compactMap { streams.changeNumber($0) })
    try replace([], by: added, of: palette, in: database)
  }

  /// Removes changes, because what covered them is held now, or they are not held any more.
  static func remove(
    _ dots: Set<Dot>,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    let gone = dots.compactMap { streams.changeNumber($0) }
    try replace(gone, by: [], of: palette, in: database)
  }

  /// Removes some changes by their numbers, and adds others.
  ///
  /// There may be as many as the palette has colors, and a compaction asks for this in each step.
  static func replace(
    _ gone: [Int64],
    by added: Set<Int64>,
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) {
    guard !gone.isEmpty || !added.isEmpty else { return }
    let gone = Set(gone)
    let before = try CoveredBefore(of: palette, in: database).numbers
    var numbers: [Int64] = []
    numbers.reserveCapacity(before.count + added.count)
    var next = added.sorted()[...]
    for number in before where !gone.contains(number) {
      while let first = next.first, first <= number {
        next.removeFirst()
        if first < number { numbers.append(first) }
      }
      numbers.append(number)
    }
    numbers += next
    guard numbers != before else { return }
    guard !numbers.isEmpty else { return try database.removeMeta(.covered(in: palette)) }
    let bytes = [UInt8](unsafeUninitializedCapacity: numbers.count * 8) { buffer, count in
      for number in numbers {
        UnsafeMutableRawBufferPointer(buffer).storeBytes(
          of: number.bigEndian,
          toByteOffset: count,
          as: Int64.self
        )
        count += 8
      }
    }
    try database.setMeta(.covered(in: palette), bytes)
  }
}

extension MetaKey {
  fileprivate static func covered(in palette: PaletteRow) -> MetaKey {
    MetaKey("covered.\(palette.number)")
  }
}
