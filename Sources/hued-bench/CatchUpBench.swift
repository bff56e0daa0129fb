import PaletteModel
import PaletteNode
import PaletteStore
import PaletteTestSupport

/// W2: a fresh node gets a palette with a long history from another one, over TCP.
struct CatchUpBench {
  let count: Int
  let edits: Int

  func run() throws {
    let homes = (try BenchFolder.makeLibrary(), try BenchFolder.makeLibrary())
    let wanted = try ColdStartBench.prepare(homes.0.folder, count, edits)
    let nodes = (BenchNode(at: homes.0.folder), BenchNode(at: homes.1.folder))
    try nodes.0.start()
    defer { nodes.0.stop() }
    try nodes.1.start()
    defer { nodes.1.stop() }
    guard let code = try nodes.0.call("share")["code"].string else { throw BenchError("no code") }
    let (seconds, _) = try Measurement.seconds {
      try nodes.1.call("join", ["code": Document(code)])
    }
    let wire = BenchNode.wireBytes(to: nodes.0.port)
    guard let reader = try ChangeStore.reading(homes.1.folder) else {
      throw BenchError("nothing was received")
    }
    let (listSeconds, list) = try Measurement.seconds { try reader.benchColors() }
    try reader.check(wanted)
    let report = Measurement(workload: "W2")
    report.emit("wall_s", seconds, "s", "\"rows\": \(list.count)")
    report.emit("wire_mib", Double(wire) / 1_048_576, "MiB")
    report.emit("then_list_s", listSeconds, "s")
    report.emit("client_disk_mib", homes.1.folder.mebibytes, "MiB")
    report.emit("peak_rss_mib", Measurement.peakMebibytes, "MiB", "\"nodes\": 2")
  }
}
