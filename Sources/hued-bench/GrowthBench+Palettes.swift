import PaletteCommands
import PaletteFormats
import PaletteModel
import PaletteStore
import PaletteTestSupport

extension GrowthBench {
  /// Many small palettes: in the store, through a node, and on their way to another node.
  func palettes(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    do {
      let store = try ChangeStore(writing: temporary.folder)
      let making = try Measurement.seconds { try make(count, in: store) }
      emit("make_palette", making.0, count, count)
      emit("summary_of_palette", try Measurement.seconds { try store.palettes() }.0, count, count)
      emit("library_digest", try Measurement.seconds { try store.digest() }.0, 1, count)
    }
    let hub = BenchNode(at: temporary.folder)
    emit("node_start", try Measurement.seconds { try hub.start() }.0, 1, count)
    defer { hub.stop() }
    try ask(hub, count)
    try join(hub, count)
  }

  private static func palette(_ number: Int) -> PaletteID {
    PaletteID(RecordID(high: 7, low: UInt64(number)))
  }

  private func make(_ count: Int, in store: ChangeStore) throws {
    let color = BenchColor.colors(1)[0]
    try store.write { transaction throws(StoreError) in
      for number in 0..<count {
        let id = Self.palette(number)
        let palette = try transaction.palette(beginning: id)
        try palette.author(.add(id.record, [.name: RegisterValue(text: "Palette \(number)")]))
        let record = RecordID(high: 8, low: UInt64(number))
        try palette.act([
          .add(
            NamedColor(id: record, name: color.name, color: BenchColor.color(color.rgba)),
            at: color.place
          )
        ])
      }
    }
  }

  /// The median time of a call, of those that come after the first.
  private func typical(_ calls: Int = 21, _ call: (Int) throws -> Void) throws -> Double {
    try call(-1)
    let times = try (0..<calls).map { number in try Measurement.seconds { try call(number) }.0 }
    return times.sorted()[calls / 2]
  }

  /// What users and those who look after the node ask it.
  private func ask(_ hub: BenchNode, _ count: Int) throws {
    let palette = JSON(Self.palette(count / 2).description)
    emit("call_palettes", try typical { _ in try hub.call("palettes") }, 1, count)
    emit("call_status", try typical { _ in try hub.call("status") }, 1, count)
    emit(
      "call_add",
      try typical { number in
        try hub.call("add", ["palette": palette, "value": "#123456", "name": "n\(number)"])
      },
      1,
      count
    )
    emit(
      "call_list_by_name",
      try typical { _ in try hub.call("list", ["palette": "Palette \(count / 3)"]) },
      1,
      count
    )
    emit("call_new", try typical { try hub.call("new", ["name": "New \($0)"]) }, 1, count)
    emit(
      "http_metrics",
      try typical { _ in
        guard try BenchHTTP.get("/metrics", from: hub.port).contains("hued_palettes") else {
          throw BenchError("there are no metrics")
        }
      },
      1,
      count
    )
  }

  /// A machine that joins, and one that comes back.
  private func join(_ hub: BenchNode, _ count: Int) throws {
    guard let code = try hub.call("share")["code"].stringValue else { throw BenchError("no code") }
    let temporary = try BenchFolder.makeLibrary()
    let other = BenchNode(at: temporary.folder)
    let joining = try Measurement.seconds { try other.call("join", ["code": JSON(code)]) }
    emit("join_per_palette", joining.0, count, count)
    emit("sync_nothing_new", try typical(5) { _ in try other.call("sync") }, 1, count)
    let palette = JSON(Self.palette(count / 2).description)
    emit(
      "sync_one_palette",
      try typical(5) { number in
        try hub.call("add", ["palette": palette, "value": "#654321", "name": "s\(number)"])
        try other.call("sync")
      },
      1,
      count
    )
    emit("status_with_a_peer", try typical { _ in try other.call("status") }, 1, count)
    guard try hub.call("status")["digest"].stringValue == other.call("status")["digest"].stringValue
    else {
      throw BenchError("the libraries differ")
    }
  }
}
