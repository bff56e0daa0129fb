import PaletteClient
import PaletteModel
import PalettePlatform

/// Watches the palette through the API and measures inside the callback how old each edit is.
///
///     hued-bench watcher PORT EDITS TIMEOUT
struct BenchWatcher {
  let port: UInt16
  let edits: Int
  let timeout: Double

  init(_ words: WordArguments) throws {
    port = UInt16(try words.number(at: 0, "the port"))
    edits = Int(try words.number(at: 1, "the number of edits"))
    timeout = try words.number(at: 2, "the timeout")
  }

  func run() throws {
    let token = try LibraryNotes.read("\(LibraryNotes.folder(port))/viewer")
    let connection = try NodeConnection(port: port, token: token)
    let palette = BenchHub.palette.description
    let call = """
      {"jsonrpc":"2.0","id":1,"method":"palette.watch","params":{"palette":"\(palette)"}}
      """
    try connection.send(Array(call.utf8))
    _ = try connection.receive()
    print("READY")
    fflush(nil)
    alarm(UInt32(timeout.rounded(.up)))
    var ages: [Double] = []
    ages.reserveCapacity(edits)
    while ages.count < edits, let diff = try connection.receive() {
      // Several edits may come in one diff; each names its color, so each is found.
      ages += LatencyMarker.ages(in: diff)
    }
    ages.sort()
    func age(_ share: Double) -> Int {
      Int(ages[min(ages.count - 1, Int(Double(ages.count) * share))])
    }
    print(
      """
      {"deliveries":\(ages.count),"p50_us":\(age(0.5)),"p99_us":\(age(0.99)),"max_us":\(age(1))}
      """
    )
    fflush(nil)
  }
}
