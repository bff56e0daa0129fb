import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport

extension GrowthBench {
  static let colorsOfPalette = 20

  /// Many small palettes: in the store, through a node, and on their way to another machine.
  func palettes(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    do {
      let store = try ChangeStore(writing: temporary.folder)
      let making = try Measurement.seconds { try make(count, in: store) }
      emit("make_palette", making.0, count, count)
      emit("library_digest", try Measurement.seconds { try store.digest() }.0, 1, count)
      report.emit(
        "disk_of_palette",
        temporary.folder.mebibytes * 1024 / Double(count),
        "KiB",
        "\"size\": \(count)"
      )
    }
    try JoinBench(report: report)
      .measure(
        temporary.folder,
        "palettes",
        size: count,
        colors: count * Self.colorsOfPalette
      )
    let hub = BenchNode(at: temporary.folder)
    emit("node_start", try Measurement.seconds { try hub.start() }.0, 1, count)
    defer { hub.stop() }
    try ask(hub, count)
  }

  /// One palette of many colors: joined by a fresh machine.
  func palette(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    do {
      let store = try ChangeStore(writing: temporary.folder)
      try store.importColors(BenchColor.colors(count))
    }
    try JoinBench(report: report)
      .measure(temporary.folder, "palette", size: count, colors: count)
    let hub = BenchNode(at: temporary.folder)
    emit("palette_node_start", try Measurement.seconds { try hub.start() }.0, 1, count)
    defer { hub.stop() }
    let palette = JSON(ChangeStore.benchPalette.description)
    func call(_ metric: String, _ method: String, _ parameters: JSON) throws {
      emit(metric, try typical { _ in try hub.call(method, parameters) }, 1, count)
    }
    try call("palette_add_at_end", "add", ["palette": palette, "value": "#123456"])
    try call("palette_add_at_5", "add", ["palette": palette, "value": "#123456", "at": 5])
    let listing = try typical(5) { _ in try hub.call("list", ["palette": palette]) }
    emit("palette_list_per_color", listing, count, count)
    try call("palette_history_10", "history", ["palette": palette, "limit": 10])
  }

  private static func palette(_ number: Int) -> PaletteID {
    // Ids are random: what is compared by their last byte is spread.
    PaletteID(RecordID(high: 7, low: UInt64(number) &* 0x9E37_79B9_7F4A_7C15))
  }

  private func make(_ count: Int, in store: ChangeStore) throws {
    let colors = BenchColor.colors(Self.colorsOfPalette)
    for start in stride(from: 0, to: count, by: 1_000) {
      try store.write { transaction throws(StoreError) in
        for number in start..<min(start + 1_000, count) {
          let id = Self.palette(number)
          let palette = try transaction.palette(beginning: id)
          try palette.author(
            .add(id.record, [.name: RegisterValue(text: "Palette \(number)")])
          )
          try palette.act(
            colors.enumerated().map { index, color in
              let record = RecordID(high: 8 + UInt64(index), low: UInt64(number))
              return .add(
                NamedColor(id: record, name: color.name, color: BenchColor.color(color.rgba)),
                at: color.place
              )
            }
          )
        }
      }
    }
  }

  /// The median time of a call, of those that come after the first.
  func typical(_ calls: Int = 21, _ call: (Int) throws -> Void) throws -> Double {
    try call(-1)
    let times = try (0..<calls).map { number in try Measurement.seconds { try call(number) }.0 }
    return times.sorted()[calls / 2]
  }

  /// Asks what users and those who look after the node ask.
  private func ask(_ hub: BenchNode, _ count: Int) throws {
    let palette = JSON(Self.palette(count / 2).description)
    func call(
      _ metric: String,
      _ method: String,
      _ parameters: @escaping (Int) -> JSON = { _ in [:] }
    ) throws {
      emit(metric, try typical { try hub.call(method, parameters($0)) }, 1, count)
    }
    try call("call_palettes_100", "palettes") { _ in ["limit": 100] }
    try call("call_status", "status")
    try call("call_status_of_palette", "status") { _ in ["palette": palette] }
    try call("call_add", "add") { ["palette": palette, "value": "#123456", "name": "n\($0)"] }
    try call("call_list", "list") { _ in ["palette": palette] }
    try call("call_list_by_name", "list") { _ in ["palette": "Palette \(count / 3)"] }
    try call("call_new", "new") { ["name": "New \($0)"] }
    for path in ["metrics", "readyz"] {
      emit(
        "http_\(path)",
        try typical { _ in
          guard try BenchHTTP.get("/\(path)", from: hub.port).contains("200") else {
            throw BenchError("there is no \(path)")
          }
        },
        1,
        count
      )
    }
  }
}
