import PaletteClient
import PaletteCommands
import PaletteJSON
import PaletteModel
import PaletteNode
import PalettePlatform
import PaletteStore
import PaletteTestSupport

/// W2: a fresh node joins one with a long history, and has the palette as it is now, durably.
///
/// Both ends are processes of their own, so that each has its own memory.
struct CatchUpBench {
  let count: Int
  let edits: Int
  let repetitions: Int

  func run() throws {
    let temporary = try BenchFolder.makeLibrary()
    let library = temporary.folder
    let wanted = try ColdStartBench.prepare(library, count, edits)
    for _ in 0..<repetitions {
      let hub = try BenchProcess(["hub", library.path])
      let code = try hub.line()
      let client = try BenchProcess(["catch-up", code, wanted])
      while let line = try? client.line() { print(line) }
      try client.wait()
      let report = Measurement(workload: "W2")
      report.emit("server_rss_mib", hub.peakMebibytes, "MiB")
      hub.end()
      try hub.wait()
    }
  }

  /// The node that is joined: prints a join code, serves until it is told to end.
  static func serve(_ home: String) throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let node = try BenchHub.start(home, port: 0)
    let client = LibraryClient(at: LibraryLocation(home: home, configurationFile: ""))
    let answer = try client.call(Request(method: "share")).json
    print(answer["code"].stringValue ?? "")
    fflush(nil)
    var signal: CInt = 0
    sigwait(&signals, &signal)
    node.stop()
  }

  /// The node that joins.
  static func catchUp(_ code: String, wanted: String) throws {
    let temporary = try BenchFolder.makeLibrary()
    let library = temporary.folder
    let node = try BenchHub.start(library.path, port: 0)
    let client = LibraryClient(at: LibraryLocation(home: library.path, configurationFile: ""))
    let request = Request(method: "join", parameters: ["code": JSON(code)])
    let (seconds, answer) = try Measurement.seconds { try client.call(request) }
    let peak = Measurement.peakMebibytes
    let wire = SocketBytes.total
    let report = Measurement(workload: "W2")
    let rows = try answer.json["colors"].intValue ?? 0
    report.emit("wall_s", seconds, "s", "\"rows\": \(rows)")
    report.emit("wire_mib", Double(wire) / 1_048_576, "MiB")
    report.emit("client_rss_mib", peak, "MiB")
    report.emit("client_disk_mib", library.mebibytes, "MiB")
    node.stop()
    guard let store = try ChangeStore.reading(library) else { throw BenchError("nothing came") }
    let (reading, _) = try Measurement.seconds { try store.benchColors() }
    report.emit("then_list_s", reading, "s")
    try store.check(wanted)
  }
}
