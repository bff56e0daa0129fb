package import PaletteModel
package import PaletteStore

extension ChangeStore {
  /// The palettes that are not dropped, by name and then by id.
  package func visiblePalettes() throws -> [PaletteSummary] {
    try palettePage(after: nil)?.palettes ?? []
  }

  /// The palette that an argument names; dropped ones are not looked at.
  ///
  /// A whole id names its palette, whatever any palette is called. Else only those are read that the
  /// argument fits, however many there are, and names for a hint if it fits none.
  package func visiblePalette(_ argument: String) throws -> PaletteSummary {
    if argument.utf8.count == 36, let id = RecordID(argument),
      let summary = try summary(of: PaletteID(id)), !summary.isDropped
    {
      return summary
    }
    let fitting = try palettes(fitting: argument, limit: Lookup.listedCandidates)
    guard let first = fitting.palettes.first else {
      throw Lookup.palette.notFound(argument, among: try namesForHint())
    }
    guard fitting.count == 1 else {
      let candidates = fitting.palettes.map(\.candidate)
      throw Lookup.palette.ambiguous(argument, candidates, count: fitting.count)
    }
    return first
  }

  /// The palettes that have the argument as their name; if none has, those whose ids begin so.
  func palettes(
    fitting argument: String,
    _ listing: PaletteListing = .listed,
    limit: Int
  ) throws -> (palettes: [PaletteSummary], count: Int) {
    let name = argument.trimmed
    let named = try palettes(named: name, listing, limit: limit)
    guard named.count == 0, let range = RecordID.range(withPrefix: name) else { return named }
    return try palettes(in: range, listing, limit: limit)
  }

  /// As many names of palettes as a mistyped one is compared with.
  private func namesForHint() throws -> [String] {
    var names: [String] = []
    try forEachName { name in
      names.append(name)
      return names.count < Spelling.candidateLimit
    }
    return names
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
