import PalettePlatform
import PaletteStore
import PaletteTestSupport

/// The folder for the libraries of workloads.
enum BenchFolder {
  /// A library in `HUED_BENCH_FOLDER`, or where temporary files belong; deleted at the end.
  static func makeLibrary() throws -> TemporaryLibrary {
    for name in ["HUED_BENCH_FOLDER", "TMPDIR"] {
      if let value = getenv(name) { return try TemporaryLibrary(under: String(cString: value)) }
    }
    return try TemporaryLibrary()
  }
}

extension LibraryFolder {
  /// The number of MiB the files have that SQLite wrote.
  var mebibytes: Double {
    var bytes = 0
    for suffix in ["", "-wal"] {
      var status = stat()
      if stat("\(path)/library.sqlite\(suffix)", &status) == 0 { bytes += status.st_size }
    }
    return Double(bytes) / 1_048_576
  }
}
