import PaletteStore
import PaletteTestSupport

/// W1: one node imports colors as one user action into an empty library, durable at the end.
struct ImportBench {
  let count: Int
  var workload = "W1"

  func run() throws {
    let colors = BenchColor.colors(count)
    let temporary = try BenchFolder.makeLibrary()
    let library = temporary.folder
    let base = Measurement.peakMebibytes
    let seconds = try importing(colors, into: library)
    let report = Measurement(workload: workload)
    report.emit("wall_s", seconds.wall, "s", "\"n\": \(count)")
    report.emit("peak_rss_mib", seconds.peak, "MiB", "\"n\": \(count)")
    report.emit("rss_over_input_mib", seconds.peak - base, "MiB", "\"n\": \(count)")
    report.emit("disk_mib", library.mebibytes, "MiB", "\"n\": \(count)")
  }

  private func importing(
    _ colors: [BenchColor],
    into library: LibraryFolder
  ) throws -> (wall: Double, peak: Double) {
    let store = try ChangeStore(writing: library)
    let (wall, _) = try Measurement.seconds { try store.importColors(colors) }
    let peak = Measurement.peakMebibytes
    try store.check(ContentDigest.digest(colors))
    return (wall, peak)
  }
}
