import PalettePlatform

/// Small files by which the processes of a workload know each other.
enum LibraryNotes {
  static func folder(_ port: UInt16) -> String { "/tmp/hued-bench-\(port)" }

  static func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "w") else { throw BenchError("cannot write \(path)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw BenchError("cannot write \(path)")
    }
  }

  static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw BenchError("cannot read \(path)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Removes a folder without folders in it.
  static func remove(_ path: String) throws {
    guard let folder = opendir(path) else { throw BenchError("there is no \(path)") }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      unlink("\(path)/\(name)")
    }
    closedir(folder)
    rmdir(path)
  }
}
