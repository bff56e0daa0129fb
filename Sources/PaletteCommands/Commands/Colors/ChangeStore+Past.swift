internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

extension ChangeStore {
  /// A palette as it was at a moment; empty before it existed and while it was dropped.
  func list(_ palette: PaletteSummary, at moment: Moment) throws -> ListAnswer {
    switch try state(of: palette.id, atMilliseconds: moment.milliseconds) {
    case .known(let state):
      return ListAnswer(
        sheet: PaletteSheet(palette, state),
        absence: state.name == nil ? .notYet : state.isVisible ? nil : .dropped
      )
    case .unknown(let since):
      throw APIError(
        code: "no-history",
        message: "the history of '\(palette.name)' does not reach back to \(moment)",
        hint: "it is known since \(Moment(milliseconds: since))"
      )
    }
  }
}

extension PaletteSheet {
  /// A palette as a past state has it; its present name stands in where there was none.
  fileprivate init(_ palette: PaletteSummary, _ state: PaletteState) {
    let records = state.isVisible && state.name != nil ? state.listed : []
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
      colors: records.compactMap { id in
        guard let name = state.shown(.name, of: id)?.text,
          let color = state.shown(.color, of: id)?.color
        else { return nil }
        return NamedColor(
          id: id,
          name: name,
          color: color,
          note: state.shown(.note, of: id)?.text ?? ""
        )
      },
      conflicts: conflicts,
      seen: seen
    )
  }
}
