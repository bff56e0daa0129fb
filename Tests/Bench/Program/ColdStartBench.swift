import PalettePlatform
import PaletteStore
import PaletteTestSupport

/// W7: a fresh process opens a library with a long history and reads the ordered list.
struct ColdStartBench {
  let count: Int
  let edits: Int

  /// Makes the library, and lets a fresh process measure.
  func run() throws {
    let temporary = try BenchFolder.makeLibrary()
    let library = temporary.folder
    let wanted = try Self.prepare(library, count, edits)
    var process: pid_t = 0
    let words = ["/proc/self/exe", "read", library.path, wanted]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    guard posix_spawn(&process, "/proc/self/exe", nil, nil, &arguments, environ) == 0 else {
      throw BenchError("no process can be started")
    }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process, status == 0 else {
      throw BenchError("the reading process failed")
    }
  }

  /// Makes the library: an import, then every edit as a change of its own.
  static func prepare(_ library: LibraryFolder, _ count: Int, _ number: Int) throws -> String {
    let colors = BenchColor.colors(count)
    let edits = BenchEdit.edits(base: count, number, seed: 2)
    let wanted = ContentDigest.digest(BenchEdit.apply(edits, to: colors))
    let seconds = try fill(library, colors, edits)
    let report = Measurement(workload: "PREP")
    report.emit("edits_wall_s", seconds, "s", "\"n\": \(count), \"edits\": \(number)")
    report.emit("disk_mib", library.mebibytes, "MiB")
    return wanted
  }

  private static func fill(
    _ library: LibraryFolder,
    _ colors: [BenchColor],
    _ edits: [BenchEdit]
  ) throws -> Double {
    let store = try ChangeStore(writing: library)
    try store.importColors(colors)
    return try Measurement.seconds { try store.make(edits, of: colors) }.0
  }

  /// The work of the fresh process.
  static func read(_ path: String, wanted: String) throws {
    let library = try LibraryFolder(path)
    let (seconds, (store, colors)) = try Measurement.seconds {
      guard let store = try ChangeStore.reading(library) else {
        throw BenchError("there is no library in \(path)")
      }
      return (store, try store.benchColors())
    }
    let peak = Measurement.peakMebibytes
    let report = Measurement(workload: "W7")
    report.emit("wall_s", seconds, "s", "\"rows\": \(colors.count)")
    report.emit("peak_rss_mib", peak, "MiB")
    try store.check(wanted)
  }
}
