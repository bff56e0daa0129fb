import Glibc
import PaletteModel
import PaletteStore
import PaletteTestSupport

/// What each item costs as libraries grow: none of these may rise with the size.
struct GrowthBench {
  private let report = Measurement(workload: "GROWTH")

  func run() throws {
    for count in [1_000, 10_000, 100_000, 250_000] { try colors(count) }
    try palettes(of: 250_000, count: 4)
    for count in [1_000, 10_000] { try palettes(count) }
    try history(1_000_000)
  }

  private func emit(_ metric: String, _ seconds: Double, _ items: Int, _ size: Int) {
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

  /// Many small palettes.
  private func palettes(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    let store = try ChangeStore(writing: temporary.folder)
    let making = try Measurement.seconds {
      try store.write { transaction throws(StoreError) in
        for number in 0..<count {
          let id = PaletteID(RecordID(high: 7, low: UInt64(number)))
          let name = RegisterValue(text: "Palette \(number)")
          try transaction.palette(beginning: id).author(.add(id.record, [.name: name]))
        }
      }
    }
    emit("make_palette", making.0, count, count)
    emit("summary_of_palette", try Measurement.seconds { try store.palettes() }.0, count, count)
    emit("library_digest", try Measurement.seconds { try store.digest() }.0, count, count)
  }

  /// A long history of one palette.
  private func history(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    let store = try ChangeStore(writing: temporary.folder)
    let colors = BenchColor.colors(10_000)
    try store.importColors(colors)
    let step = count / 10
    for number in 1...10 {
      let edits = BenchEdit.recolors(base: colors.count, step, seed: UInt64(number))
      let seconds = try Measurement.seconds { try store.make(edits, of: colors) }.0
      emit("edit_after_history_of", seconds, step, number * step)
      let listing = try Measurement.seconds { try store.benchColors() }
      emit("list_after_history_of", listing.0, listing.1.count, number * step)
    }
  }
}
