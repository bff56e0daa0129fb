public import PaletteMerge

extension PaletteReader {
  /// The digest of the library: over all palettes, whatever is shown of them.
  public func digest() throws(StoreError) -> Digest {
    try sums().reduce(into: .zero) { $0 += $1.digest }
  }

  /// The digest over the palettes of each bucket.
  package func bucketDigests() throws(StoreError) -> [Digest] { try sums().map(\.digest) }

  /// The amount that the library shows, all palettes together.
  public func totals() throws(StoreError) -> LibraryTotals {
    let sum = try sums().reduce(into: LibrarySums.Sum()) { $0 += $1 }
    return LibraryTotals(
      palettes: sum.palettes,
      colors: sum.colors,
      conflicts: sum.conflicts,
      changes: sum.changes
    )
  }

  /// Compares what is kept about all palettes with their rows.
  ///
  /// - Returns: What does not agree, in words; nothing when all is well.
  /// - Throws: `StoreError` when the store cannot be read.
  package func verifySums() throws(StoreError) -> [String] {
    let (kept, counted) = (try sums(), try LibrarySums.counted(on: database.connection))
    return kept.indices.filter { kept[$0] != counted[$0] }.map {
      "what the palettes in bucket \($0) amount to is not what their rows say"
    }
  }

  private func sums() throws(StoreError) -> [LibrarySums.Sum] {
    try LibrarySums.all(with: box(.buckets).statement)
  }
}
