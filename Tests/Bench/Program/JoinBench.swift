import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteModel
import PalettePlatform
import PaletteStore
import PaletteTestSupport

/// A fresh machine joins a hub and comes back again: each end is a process of its own, so that each has
/// its own memory and processor time.
struct JoinBench {
  let report: Measurement
  /// The number of times the machine comes back with nothing new.
  private static let returns = 5

  /// Measures the join of a library that is there.
  ///
  /// - Parameters:
  ///   - library: What the hub has.
  ///   - name: How the metrics begin.
  ///   - size: What the curve is drawn over.
  ///   - colors: How many colors come over.
  /// - Throws: `BenchError` when one of the two ends early.
  func measure(_ library: LibraryFolder, _ name: String, size: Int, colors: Int) throws {
    let hub = try BenchProcess(["hub", library.path])
    let code = try hub.line()
    let before = hub.processorSeconds
    let client = try BenchProcess(["joiner", code])
    let joined = try Self.numbers(client.line())
    let afterwards = hub.processorSeconds
    func emit(_ metric: String, _ value: Double, _ unit: String) {
      report.emit("\(name)_\(metric)", value, unit, "\"size\": \(size)")
    }
    emit("join_per_color", joined[0] / Double(colors) * 1e6, "us")
    emit("join_processor_per_color_hub", (afterwards - before) / Double(colors) * 1e6, "us")
    emit("join_processor_per_color_client", joined[1] / Double(colors) * 1e6, "us")
    emit("join_memory_client", joined[2], "MiB")
    emit("join_memory_hub", hub.peakMebibytes, "MiB")
    var times: [(hub: Double, client: Double)] = []
    var last = hub.processorSeconds
    for _ in 0..<Self.returns {
      let numbers = try Self.numbers(client.line())
      let now = hub.processorSeconds
      times.append((now - last, numbers[0]))
      last = now
    }
    emit("return_processor_hub", times.map(\.hub).sorted()[Self.returns / 2] * 1e6, "us")
    emit("return_wall", times.map(\.client).sorted()[Self.returns / 2] * 1e6, "us")
    try client.wait()
    hub.end()
    try hub.wait()
  }

  private static func numbers(_ line: String) throws -> [Double] {
    let numbers = line.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3 else { throw BenchError("the machine that joins said '\(line)'") }
    return numbers
  }

  /// The machine that joins: tells seconds, processor seconds and MiB, of the join and of each return.
  static func join(_ code: String) throws {
    let temporary = try BenchFolder.makeLibrary()
    let node = BenchNode(at: temporary.folder)
    try node.start()
    let start = Measurement.processorSeconds
    let wall = try Measurement.seconds { try node.call("join", ["code": JSON(code)]) }.0
    tell(wall, Measurement.processorSeconds - start)
    for _ in 0..<returns {
      node.stop()
      let start = Measurement.processorSeconds
      let wall = try Measurement.seconds {
        try node.start()
        try node.call("sync")
      }.0
      tell(wall, Measurement.processorSeconds - start)
    }
    node.stop()
  }

  private static func tell(_ wall: Double, _ processor: Double) {
    print(wall, processor, Measurement.peakMebibytes)
    fflush(nil)
  }
}
