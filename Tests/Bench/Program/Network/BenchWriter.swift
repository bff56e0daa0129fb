import PaletteClient
import PaletteModel
import PalettePlatform

/// Renames colors at a rate through the API, as a page or a script does, and never waits for answers.
///
///     hued-bench writer PORT EDITS RATE COLORS
///
/// Prints READY, begins with the first line on standard input, stays until that ends.
struct BenchWriter {
  let port: UInt16
  let edits: Int
  let rate: Double
  let colors: Int

  init(_ words: WordArguments) throws {
    port = UInt16(try words.number(at: 0, "the port"))
    edits = Int(try words.number(at: 1, "the number of edits"))
    rate = try words.number(at: 2, "the rate")
    colors = Int(try words.number(at: 3, "the number of colors"))
  }

  func run() throws {
    let connection = try connect()
    let ids = BenchColor.colors(colors).map(\.id.description)
    let palette = BenchHub.palette.description
    print("READY")
    fflush(nil)
    _ = readLine()
    let start = LatencyMarker.nanoseconds
    var answers = 0
    for number in 0..<edits {
      try pause(until: start, number)
      let call = """
        {"jsonrpc":"2.0","id":\(number),"method":"rename","params":{"palette":"\(palette)",\
        "color":"\(ids[number % ids.count])","name":"\(LatencyMarker.name)"}}
        """
      try connection.send(Array(call.utf8))
      // At a rate, the answers are read while there is time; flat out, when all is sent.
      if rate > 0 {
        answers += 1
        try check(try connection.receive())
      }
    }
    let sent = LatencyMarker.nanoseconds
    while answers < edits {
      answers += 1
      try check(try connection.receive())
    }
    let acknowledged = LatencyMarker.nanoseconds
    print(
      """
      {"sent":\(edits),"wall_s":\(Double(sent - start) / 1e9),\
      "acknowledged_s":\(Double(acknowledged - start) / 1e9)}
      """
    )
    fflush(nil)
    while readLine() != nil {}
  }

  private func connect() throws -> NodeConnection {
    let notes = LibraryNotes.folder(port)
    if let home = try? LibraryNotes.read("\(notes)/home") {
      guard let connection = try NodeConnection(home: home) else {
        throw BenchError("no node runs in \(home)")
      }
      return connection
    }
    return try NodeConnection(port: port, token: try LibraryNotes.read("\(notes)/editor"))
  }

  private func check(_ answer: [UInt8]?) throws {
    guard let answer else { throw BenchError("the node closed the connection") }
    guard !LatencyMarker.occurs("\"error\"", in: answer) else {
      throw BenchError(String(decoding: answer, as: UTF8.self))
    }
  }

  private func pause(until start: UInt64, _ number: Int) throws {
    guard rate > 0 else { return }
    let due = start + UInt64(Double(number) / rate * 1e9)
    let now = LatencyMarker.nanoseconds
    guard due > now else { return }
    var time = timespec(
      tv_sec: Int((due - now) / 1_000_000_000),
      tv_nsec: Int((due - now) % 1_000_000_000)
    )
    nanosleep(&time, nil)
  }
}
