import PaletteCommands
import PaletteJSON
import PaletteModel
import PaletteStore
import PaletteTestSupport

extension GrowthBench {
  /// A long history of one palette.
  func history(_ count: Int) throws {
    let temporary = try BenchFolder.makeLibrary()
    let colors = BenchColor.colors(10_000)
    let step = count / 10
    do {
      let store = try ChangeStore(writing: temporary.folder)
      try store.importColors(colors)
      for number in 1...10 {
        let edits = BenchEdit.recolors(base: colors.count, step, seed: UInt64(number))
        let seconds = try Measurement.seconds { try store.make(edits, of: colors) }.0
        emit("edit_after_history_of", seconds, step, number * step)
        let listing = try Measurement.seconds { try store.benchColors() }
        emit("list_after_history_of", listing.0, listing.1.count, number * step)
      }
    }
    try reopen(temporary.folder, colors, count)
  }

  /// Opens the library again as its next user would.
  private func reopen(_ folder: LibraryFolder, _ colors: [BenchColor], _ count: Int) throws {
    do {
      let opening = try Measurement.seconds { try ChangeStore(writing: folder) }
      emit("open_after_history_of", opening.0, 1, count)
      let singles = BenchEdit.recolors(base: colors.count, 300, seed: 11)
      let seconds = try Measurement.seconds {
        for edit in singles { try opening.1.make([edit], of: colors) }
      }.0
      emit("edit_alone_after_history_of", seconds, singles.count, count)
    }
    let node = BenchNode(at: folder)
    let palette = JSON(ChangeStore.benchPalette.description)
    for limit in [20, 10_000] {
      let (seconds, answer) = try Measurement.seconds {
        try node.call("history", ["palette": palette, "limit": JSON(limit)])
      }
      guard answer["changes"].arrayValue?.count == limit else {
        throw BenchError("history is short")
      }
      emit("history_of_newest_\(limit)", seconds, 1, count)
    }
    let past = try Measurement.seconds {
      try node.call("list", ["palette": palette, "at": "1 second ago"])
    }
    emit("list_at_a_time", past.0, 1, count)
    try node.start()
    defer { node.stop() }
    guard let code = try node.call("share")["code"].stringValue else { throw BenchError("no code") }
    let temporary = try BenchFolder.makeLibrary()
    let joining = try Measurement.seconds {
      try BenchNode(at: temporary.folder).call("join", ["code": JSON(code)])
    }
    emit("join_after_history_of", joining.0, 1, count)
  }
}
