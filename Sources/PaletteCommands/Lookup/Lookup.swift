package import PaletteModel
package import PaletteStore

/// Finds the palette or color that an argument names: by exact name, else by the beginning of its id.
package struct Lookup {
  /// One thing that can be named.
  package struct Candidate {
    package let id: RecordID
    let name: String

    package init(id: RecordID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The fewest characters of an id that are taken for its beginning.
  static let shortestPrefix = 4
  /// The number of candidates an error lists.
  static let listedCandidates = 10
  /// The most arguments for which it is faster to look at all candidates than to put them in order.
  private static let fewArguments = 4

  /// The kind of thing that is looked up, such as `palette`.
  let kind: String
  /// The command that lists what there is, for the hint when nothing is near.
  let listing: String

  /// Looks for a palette.
  package static let palette = Lookup(kind: "palette", listing: "'hued palettes' lists them")

  /// Looks for a palette that was dropped.
  static let droppedPalette = Lookup(
    kind: "dropped palette",
    listing: "'hued palettes' lists those that are not dropped"
  )

  /// Looks for a color of a palette.
  static let color = Lookup(kind: "color", listing: "'hued list PALETTE' lists them")

  /// Looks for a color that was removed from a palette.
  static let removedColor = Lookup(
    kind: "removed color",
    listing: "'hued history PALETTE' tells what was removed"
  )

  /// The index of the one candidate that the argument names.
  /// - Throws: `ambiguous` with the candidates, or `not-found` with what may have been meant.
  func index(of argument: String, among candidates: [Candidate]) throws(APIError) -> Int {
    try index(of: argument, among: candidates, matches(of: argument, among: candidates))
  }

  /// The index of the one candidate that the argument names, of those that it fits.
  private func index(
    of argument: String,
    among candidates: [Candidate],
    _ indexes: [Int]
  ) throws(APIError) -> Int {
    guard let first = indexes.first else {
      throw notFound(argument, among: candidates.lazy.map(\.name))
    }
    guard indexes.count == 1 else {
      throw ambiguous(argument, indexes.map { candidates[$0] }, count: indexes.count)
    }
    return first
  }

  /// The indexes of the candidates that arguments name, one each.
  /// - Throws: `ambiguous` or `not-found` for the first argument that does not name one candidate.
  func indexes(of arguments: [String], among candidates: [Candidate]) throws(APIError) -> [Int] {
    let order = arguments.count > Self.fewArguments ? CandidateOrder(candidates) : nil
    var indexes: [Int] = []
    for argument in arguments {
      let fitting = matches(of: argument, among: candidates, in: order)
      indexes.append(try index(of: argument, among: candidates, fitting))
    }
    return indexes
  }

  /// All candidates that the argument names; names that are equal to it hide prefixes of ids.
  package func matches(of argument: String, among candidates: [Candidate]) -> [Int] {
    matches(of: argument, among: candidates, in: nil)
  }

  /// The same, found by an order of the candidates if there is one.
  private func matches(
    of argument: String,
    among candidates: [Candidate],
    in order: CandidateOrder?
  ) -> [Int] {
    let name = argument.trimmed
    // The order takes canonically equivalent names for the same.
    let isNamed = { (index: Int) in candidates[index].name.hasSameBytes(as: name) }
    let named =
      order?.indexes(named: name).filter(isNamed) ?? candidates.indices.filter(isNamed)
    guard named.isEmpty, let range = RecordID.range(withPrefix: name) else { return named }
    return order?.indexes(in: range)
      ?? candidates.indices.filter { range.contains(candidates[$0].id) }
  }

  /// The error where several are named; of many, some are enough to show.
  func ambiguous(_ argument: String, _ candidates: [Candidate], count: Int) -> APIError {
    let listed = candidates.prefix(Self.listedCandidates).map { "\($0.id) (\($0.name))" }
    let rest = count - listed.count
    return APIError(
      code: "ambiguous",
      message: "'\(argument)' fits \(count) \(kind)s",
      hint: "say which by the beginning of its id: " + listed.joined(separator: ", ")
        + (rest > 0 ? " and \(rest) more" : "")
    )
  }

  /// The error where nothing is named, with the nearest of some names.
  func notFound(_ argument: String, among names: some Sequence<String>) -> APIError {
    let nearest = Spelling.nearest(to: argument.trimmed, among: names)
    return APIError(
      code: "not-found",
      message: "there is no \(kind) '\(argument)'",
      hint: nearest.map { "did you mean '\($0)'?" } ?? listing
    )
  }
}

/// Candidates in the order of their names and of their ids, for many arguments.
private struct CandidateOrder {
  private var byName: [String: [Int]] = [:]
  private let byID: [(id: RecordID, index: Int)]

  init(_ candidates: [Lookup.Candidate]) {
    for (index, candidate) in candidates.enumerated() {
      byName[candidate.name, default: []].append(index)
    }
    byID = candidates.enumerated().map { (id: $1.id, index: $0) }.sorted { $0.id < $1.id }
  }

  /// The indexes of the candidates with a name, or a canonically equivalent one.
  func indexes(named name: String) -> [Int] { byName[name] ?? [] }

  /// The indexes of the candidates whose ids are in a range.
  func indexes(in range: ClosedRange<RecordID>) -> [Int] {
    let first = byID.endOfPrefix { $0.id < range.lowerBound }
    return byID[first...].prefix { $0.id <= range.upperBound }.map(\.index).sorted()
  }
}

extension RecordID {
  /// The ids whose text begins so, in either case; nil for what is too short or begins no id.
  static func range(withPrefix prefix: String) -> ClosedRange<RecordID>? {
    let lowest = Array("00000000-0000-0000-0000-000000000000".utf8)
    let highest = Array("ffffffff-ffff-ffff-ffff-ffffffffffff".utf8)
    let count = prefix.utf8.count
    guard (Lookup.shortestPrefix...lowest.count).contains(count),
      let first = RecordID(String(decoding: prefix.utf8 + lowest[count...], as: UTF8.self)),
      let last = RecordID(String(decoding: prefix.utf8 + highest[count...], as: UTF8.self))
    else { return nil }
    return first...last
  }
}

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

  /// The palettes that an argument names among those that somebody may see, as if there were no others.
  package func visiblePalettes(
    fitting argument: String,
    where isSeen: (PaletteID) throws -> Bool
  ) throws -> [PaletteSummary] {
    if argument.utf8.count == 36, let id = RecordID(argument),
      let summary = try summary(of: PaletteID(id)), !summary.isDropped, try isSeen(summary.id)
    {
      return [summary]
    }
    let name = argument.trimmed
    let named = try palettes(named: name).palettes.filter { try isSeen($0.id) }
    guard named.isEmpty, let range = RecordID.range(withPrefix: name) else { return named }
    return try palettes(in: range).palettes.filter { try isSeen($0.id) }
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
    return try Lookup.color.indexes(of: arguments, among: candidates).map { candidates[$0].id }
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
