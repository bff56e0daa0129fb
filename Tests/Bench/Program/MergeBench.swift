import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import WebSocket

/// W3: two nodes with one palette edit it offline, each for itself, then sync both ways.
///
/// The timer begins when both nodes run and one is told to sync, so that it covers the connection,
/// and ends when the edits of both are durable in both libraries.
struct MergeBench {
  let count: Int
  let edits: Int

  func run() throws {
    let homes = (try BenchFolder.makeLibrary(), try BenchFolder.makeLibrary())
    let nodes = (BenchNode(at: homes.0.folder), BenchNode(at: homes.1.folder))
    let colors = BenchColor.colors(count)
    try share(colors, homes.0.folder, nodes)
    let editSeconds = try edit(homes.0.folder, colors, seed: 101)
    _ = try edit(homes.1.folder, colors, seed: 202)
    try merge(homes.0.folder, homes.1.folder, nodes, editSeconds)
  }

  /// Gives both libraries the palette.
  private func share(
    _ colors: [BenchColor],
    _ first: LibraryFolder,
    _ nodes: (BenchNode, BenchNode)
  ) throws {
    do { try ChangeStore(writing: first).importColors(colors) }
    try nodes.0.start()
    guard let code = try nodes.0.call("share")["code"].stringValue else {
      throw BenchError("no code")
    }
    try nodes.1.call("join", ["code": JSON(code)])
    nodes.0.stop()
  }

  /// Lets both nodes run, so that the second one tries the first one when it is told to.
  private func meet(_ nodes: (BenchNode, BenchNode)) throws {
    var door: RefusingListener? = try RefusingListener(port: nodes.0.port)
    try Processors.onOne(0) { try nodes.1.start() }
    try door?.waitForCaller()
    door = nil
    let (seconds, _) = try Measurement.seconds {
      try Processors.onOne(1) { try nodes.0.start() }
    }
    // It tries again by itself a quarter of a second after the last time, or later.
    guard seconds < 0.2 else { throw BenchError("a node took \(seconds) s to start") }
  }

  private func edit(
    _ folder: LibraryFolder,
    _ colors: [BenchColor],
    seed: UInt64
  ) throws -> Double {
    let store = try ChangeStore(writing: folder)
    let edits = BenchEdit.edits(base: count, edits, seed: seed)
    return try Measurement.seconds { try store.make(edits, of: colors) }.0
  }

  private func merge(
    _ first: LibraryFolder,
    _ second: LibraryFolder,
    _ nodes: (BenchNode, BenchNode),
    _ editSeconds: Double
  ) throws {
    guard let one = try ChangeStore.reading(first), let other = try ChangeStore.reading(second)
    else { throw BenchError("a library is missing") }
    let frontiers = (
      try one.frontier(of: ChangeStore.benchPalette),
      try other.frontier(of: ChangeStore.benchPalette)
    )
    let before = try one.digest()
    try meet(nodes)
    defer { nodes.0.stop() }
    let location = nodes.1.location
    let (seconds, command) = try Measurement.seconds {
      // It returns once the node is in sync by its own account; what is durable counts here.
      let command = Thread.start {
        _ = try? LibraryClient(at: location).call(Request(method: "sync", parameters: [:]))
      }
      guard let command else { throw BenchError("there can be no more threads") }
      try BenchNode.waitForAgreement((one, other), before: before) { store in
        let held = try store.frontier(of: ChangeStore.benchPalette)
        return [frontiers.0, frontiers.1].allSatisfy { frontier in
          frontier.allSatisfy { held.holds(Dot($0.key, $0.value.sequence)) }
        }
      }
      return command
    }
    command.join()
    let wire = BenchNode.wireBytes(to: nodes.0.port)
    nodes.1.stop()
    let lists = (try one.benchColors(), try other.benchColors())
    let digests = (
      ContentDigest.digest(lists.0.lazy.map(BenchColor.init)),
      ContentDigest.digest(lists.1.lazy.map(BenchColor.init))
    )
    guard digests.0 == digests.1 else { throw BenchError("the lists differ") }
    let report = Measurement(workload: "W3")
    let parameters = """
      "n": \(count), "edits": \(edits), "converged": true, "rows": \(lists.0.count)
      """
    report.emit("wall_s", seconds, "s", parameters)
    report.emit("wire_kib", Double(wire) / 1024, "KiB")
    report.emit("edit_us", editSeconds / Double(edits) * 1e6, "us")
    report.emit("peak_rss_mib", Measurement.peakMebibytes, "MiB")
  }
}
