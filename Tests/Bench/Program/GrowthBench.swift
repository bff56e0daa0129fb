import PaletteModel
import PalettePlatform
import PaletteStore
import PaletteTestSupport

/// The cost of each item as libraries grow: none of these may rise with the size.
struct GrowthBench {
  let report = Measurement(workload: "GROWTH")

  /// The parts, with their usual sizes.
  private static let parts: KeyValuePairs<String, [Int]> = [
    "colors": [1_000, 10_000, 100_000, 250_000], "library": [250_000],
    "palettes": [100, 1_000, 10_000, 99_900], "palette": [1_000, 10_000, 100_000, 249_000],
    "history": [1_000_000],
  ]

  /// Measures one part, or all.
  ///
  /// - Parameters:
  ///   - part: Its name; nil for all.
  ///   - sizes: Other sizes than the usual ones, where there are any.
  /// - Throws: `BenchError` when there is no such part.
  func run(_ part: String?, sizes: [Int] = []) throws {
    guard let part else {
      for (part, _) in Self.parts { try run(part) }
      return
    }
    guard let usual = Self.parts.first(where: { $0.key == part })?.value else {
      let names = Self.parts.map(\.key).joined(separator: ", ")
      throw BenchError("say which part: \(names)")
    }
    for size in sizes.isEmpty ? usual : sizes {
      switch part {
      case "colors": try colors(size)
      case "library": try palettes(of: size, count: 4)
      // Some are made while a library is measured, which has 100,000 at most.
      case "palettes": try palettes(size)
      case "palette": try palette(size)
      default: try history(size)
      }
    }
  }

  func emit(_ metric: String, _ seconds: Double, _ items: Int, _ size: Int) {
    report.emit(metric, seconds / Double(items) * 1e6, "us", "\"size\": \(size)")
  }

  /// One palette: import, single edits, list.
  private func colors(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    let colors = BenchColor.colors(count)
    let store = try ChangeStore(writing: temporary.folder)
    emit(
      "import_per_color",
      try Measurement.seconds { try store.importColors(colors) }.0,
      count,
      count
    )
    let edits = BenchEdit.edits(base: count, min(count, 10_000), seed: 2)
    emit(
      "edit_in_batch",
      try Measurement.seconds { try store.make(edits, of: colors) }.0,
      edits.count,
      count
    )
    let singles = BenchEdit.edits(base: count, 300, seed: 3)
    emit(
      "edit_alone",
      try Measurement.seconds { for edit in singles { try store.make([edit], of: colors) } }.0,
      singles.count,
      count
    )
    emit("list_per_color", try Measurement.seconds { try store.benchColors() }.0, count, count)
  }

  /// Several palettes of the greatest size in one library.
  private func palettes(of size: Int, count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    let store = try ChangeStore(writing: temporary.folder)
    for number in 1...count {
      let id = PaletteID(RecordID(high: 9, low: UInt64(number)))
      let colors = BenchColor.colors(size, seed: UInt64(number))
      let seconds = try Measurement.seconds { try store.importColors(colors, into: id) }.0
      emit("import_into_library_of", seconds, size, number * size)
      let listing = try Measurement.seconds { try store.colors(of: id) }
      emit("list_in_library_of", listing.0, listing.1.count, number * size)
    }
  }
}
