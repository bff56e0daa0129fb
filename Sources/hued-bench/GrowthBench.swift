import Glibc
import PaletteModel
import PaletteStore
import PaletteTestSupport

/// What each item costs as libraries grow: none of these may rise with the size.
struct GrowthBench {
  let report = Measurement(workload: "GROWTH")

  /// Measures one part, or all.
  func run(_ part: Substring?) throws {
    switch part {
    case "colors": for count in [1_000, 10_000, 100_000, 250_000] { try colors(count) }
    case "library": try palettes(of: 250_000, count: 4)
    // A library has 10,000 palettes at most, and some are made while it is measured.
    case "palettes": for count in [1_000, 9_950] { try palettes(count) }
    case "history": try history(1_000_000)
    case nil: for part in ["colors", "library", "palettes", "history"] { try run(part[...]) }
    default: throw BenchError("say which part: colors, library, palettes or history")
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
