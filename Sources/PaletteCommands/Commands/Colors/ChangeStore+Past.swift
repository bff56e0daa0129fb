internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension ChangeStore {
  /// A palette as it was at a moment; empty before it existed and while it was dropped.
  func list(_ palette: PaletteSummary, at moment: Moment) throws -> ListAnswer {
    let past = try state(of: palette.id, atMilliseconds: moment.milliseconds)
    let state = try palette.known(past, at: moment)
    return ListAnswer(
      sheet: PaletteSheet(palette, state),
      absence: state.name == nil ? .notYet : state.isVisible ? nil : .dropped
    )
  }
}

extension PaletteSummary {
  /// The state at a moment, as far as the history reaches back.
  func known(_ past: PastState, at moment: Moment) throws(APIError) -> PaletteState {
    switch past {
    case .known(let state): return state
    case .unknown(let since):
      throw APIError(
        code: "no-history",
        message: "the history of '\(name)' does not reach back to \(moment)",
        hint: "it is known since \(Moment(milliseconds: since))"
      )
    }
  }
}

extension PaletteSheet {
  /// A palette as a past state has it; its present name stands in where there was none.
  fileprivate init(_ palette: PaletteSummary, _ state: PaletteState) {
    let colors = state.isVisible && state.name != nil ? state.namedColors : []
    let records = colors.map(\.id)
    let seen = records.compactMap { state.records[$0]?.seen }
    var conflicts: [RecordID: [String]] = [:]
    for id in records {
      let registers = state.conflicts(of: id)
      if !registers.isEmpty { conflicts[id] = registers.map(\.description) }
    }
    self.init(
      id: palette.id,
      name: state.name ?? palette.name,
      digest: state.digest.description,
      colors: colors,
      conflicts: conflicts,
      seen: seen
    )
  }
}
