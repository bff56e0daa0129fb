package import PaletteModel
package import PaletteStore

extension ChangeStore {
  /// The palettes that are not dropped, by name and then by id.
  package func visiblePalettes() throws -> [PaletteSummary] {
    try palettes().filter { !$0.isDropped }.sorted { left, right in
      if left.name.hasSameBytes(as: right.name) { return left.id < right.id }
      return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
  }

  /// The palette that an argument names; dropped ones are not looked at.
  ///
  /// A whole id names its palette, whatever any palette is called. Else only those are read whole that
  /// the argument fits, however many there are; all of them, for the error, if it fits none.
  package func visiblePalette(_ argument: String) throws -> PaletteSummary {
    if argument.utf8.count == 36, let id = RecordID(argument),
      let summary = try summary(of: PaletteID(id)), !summary.isDropped
    {
      return summary
    }
    let fitting = try fittingPalettes(argument)
    if fitting.count == 1 { return fitting[0] }
    let palettes = try visiblePalettes()
    return palettes[try Lookup.palette.index(of: argument, among: palettes.map(\.candidate))]
  }

  /// The palettes that are not dropped and have the argument as their name; if none has, those whose
  /// ids begin so.
  private func fittingPalettes(_ argument: String) throws -> [PaletteSummary] {
    let names = try paletteNames()
    func visible(_ isMeant: ((id: PaletteID, name: String)) -> Bool) throws -> [PaletteSummary] {
      try names.filter(isMeant).compactMap { try summary(of: $0.id) }.filter { !$0.isDropped }
    }
    let name = argument.trimmed
    let named = try visible { $0.name.hasSameBytes(as: name) }
    guard named.isEmpty, let range = RecordID.range(withPrefix: name) else { return named }
    return try visible { range.contains($0.id.record) }
  }

  /// The listed color of a palette that an argument names.
  package func listedColor(_ argument: String, in palette: PaletteID) throws -> RecordID {
    try listedColors([argument], in: palette)[0]
  }

  /// The listed colors of a palette that arguments name.
  func listedColors(_ arguments: [String], in palette: PaletteID) throws -> [RecordID] {
    if let records = try wholeIDs(arguments, in: palette) { return records }
    let candidates = try candidates(in: palette)
    return try arguments.map { argument in
      candidates[try Lookup.color.index(of: argument, among: candidates)].id
    }
  }

  /// The listed colors that arguments name by their whole ids; nil when any of them does not.
  ///
  /// A whole id names its color, whatever any color is called, so nothing has to be compared.
  private func wholeIDs(_ arguments: [String], in palette: PaletteID) throws -> [RecordID]? {
    var records: [RecordID] = []
    for argument in arguments {
      guard argument.utf8.count == 36, let id = RecordID(argument),
        try isListed(id, in: palette)
      else { return nil }
      records.append(id)
    }
    return records
  }

  /// The colors of a palette, listed or removed, as they can be named.
  func candidates(in palette: PaletteID, removed: Bool = false) throws -> [Lookup.Candidate] {
    try names(of: palette, removed: removed).map { Lookup.Candidate(id: $0.id, name: $0.name) }
  }
}

extension PaletteSummary {
  /// The palette as it can be named.
  var candidate: Lookup.Candidate { Lookup.Candidate(id: id.record, name: name) }
}

extension [ListedColor] {
  /// The index of the color that an argument names.
  func index(named argument: String) throws -> Int {
    try Lookup.color.index(
      of: argument,
      among: map { Lookup.Candidate(id: $0.color.id, name: $0.color.name) }
    )
  }
}
