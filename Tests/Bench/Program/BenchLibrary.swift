import PaletteMerge
import PaletteModel
import PaletteStore

/// The work of the workloads in a library, each step as a user's own edit would be made.
extension ChangeStore {
  static let benchPalette = PaletteID(RecordID(high: 1, low: 2))

  /// Makes the palette with all its colors, as one user action.
  func importColors(_ colors: [BenchColor], into id: PaletteID = benchPalette) throws {
    try write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: id)
      try palette.author(.add(id.record, [.name: RegisterValue(text: "Bench")]))
      try palette.act(colors.lazy.map { .add($0.namedColor, at: $0.place) })
    }
  }

  /// Makes every edit as a user action and a change of its own, all in one durable transaction.
  func make(_ edits: [BenchEdit], of colors: [BenchColor]) throws {
    try write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: Self.benchPalette)
      for edit in edits { try palette.act([edit.edit(of: colors)]) }
    }
  }

  /// The palette's list.
  func benchColors() throws -> [ListedColor] { try colors(of: Self.benchPalette) }

  /// Compares the list with what it must be.
  func check(_ wanted: String) throws {
    let found = ContentDigest.digest(try benchColors().lazy.map(BenchColor.init))
    guard found == wanted else { throw BenchError("the list has digest \(found), not \(wanted)") }
  }
}
