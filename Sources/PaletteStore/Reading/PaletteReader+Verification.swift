internal import PaletteMerge
public import PaletteModel

extension PaletteReader {
  /// Compares all that is kept about palettes with the changes that it comes from.
  ///
  /// - Returns: What does not agree, in words; nothing when all is well.
  /// - Throws: `StoreError` when the store cannot be read.
  public func verify() throws(StoreError) -> [String] {
    var palettes: [PaletteID] = []
    try box(.allPalettes).statement.rows { row throws(StoreError) in
      palettes.append(PaletteID(try row.recordID(1)))
    }
    var problems: [String] = []
    for palette in palettes {
      let found = try verify(palette)
      guard !found.isEmpty else { continue }
      let name = try summary(of: palette)?.name ?? palette.description
      problems += found.map { "\(name): \($0)" }
    }
    return problems + (try verifySums())
  }

  /// Compares what is shown of a palette with the changes that it comes from.
  ///
  /// - Returns: What does not agree, in words; nothing when all is well.
  /// - Throws: `StoreError` when the store cannot be read.
  public func verify(_ id: PaletteID) throws(StoreError) -> [String] {
    // What is on disk is to be looked at.
    cache.palettes?.forgetAll()
    guard let palette = try paletteRow(id) else { return [] }
    let streams = try streams(of: palette)
    let records = try verifiedRecords(of: palette, streams)
    var problems = records.problems
    if records.colors != palette.colors {
      problems.append("it counts \(palette.colors) colors and has \(records.colors)")
    }
    if records.conflicts != palette.conflicts {
      problems.append("it counts \(palette.conflicts) conflicts and has \(records.conflicts)")
    }
    problems += try PlaceIndex.problems(of: palette, in: database)
    if records.title != palette.title { problems.append("it is listed under another name") }
    if palette.isDropped == streams.isVisible {
      problems.append("whether it is dropped is not what its authors' rows say")
    }
    if records.digest != palette.digest { problems.append("its digest is not that of its values") }
    // Where history was cut, the values that are left are all there is to compare.
    if palette.sinceMilliseconds == nil, streams.all.allSatisfy({ $0.floor == 0 }) {
      problems += try replayProblems(of: palette, streams, records.states)
    }
    return problems
  }

  private func verifiedRecords(
    of palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> VerifiedRecords {
    var found = VerifiedRecords()
    for stream in streams.all {
      if let head = stream.head { found.digest += Digest(stream.node, head) }
      if try !isSorted(stream) {
        found.problems.append("the changes of \(stream.node) are not in the order that is kept")
      }
    }
    for id in try recordIDs(of: palette) {
      let stored = try storedRecord(id, in: palette, streams)
      var known: [Dot: ChangeFacts] = [:]
      for dot in stored.state.dots { known[dot] = try facts(of: dot, in: palette, streams) }
      let image = try RecordRowBuilder(stored.state, isPalette: id == palette.id.record) {
        dot throws(StoreError) in
        if let facts = known[dot] { return facts }
        return try facts(of: dot, in: palette, streams)
      }
      if id == palette.id.record { found.title = image.shownValue(.name)?.value.text }
      found.colors += image.listed
      found.conflicts += image.conflicts
      found.states[id] = stored.state
      if image.listed != stored.listed || image.conflicts != stored.conflicts {
        found.problems.append("the record \(id) is not marked as what it is")
      }
      for value in stored.state.values {
        guard let hash = known[value.dot]?.hash else { continue }
        found.digest += Digest(hash, value.register, covered: value.isCovered)
      }
    }
    return found
  }

  /// Returns whether the stamps of an author's changes are as its row says.
  private func isSorted(_ stream: StreamRow) throws(StoreError) -> Bool {
    let select = try box(.changeBytes)
    try select.statement.bind(stream.changeNumber(0), at: 1)
    try select.statement.bind(stream.changeNumber(.max), at: 2)
    var peak: UInt64 = 0
    var isSorted = true
    try select.statement.rows { row in
      guard let stamp = row.withBytes(1, { ChangeRow.stamp(of: $0) })?.rawValue else { return }
      let sequence = UInt32(truncatingIfNeeded: row.int64(0))
      if stream.sortedFrom > 0, sequence >= stream.sortedFrom, stamp < peak { isSorted = false }
      peak = max(peak, stamp)
    }
    return isSorted && peak <= stream.peak
  }

  /// Merges every change again and compares the outcome.
  private func replayProblems(
    of palette: PaletteRow,
    _ streams: StreamTable,
    _ states: [RecordID: RecordState]
  ) throws(StoreError) -> [String] {
    var changes: [(change: Change, bytes: [UInt8])] = []
    try forEachChange(of: palette.id) { _, bytes throws(StoreError) in
      var change = try ChangeRow.decode(bytes, in: palette.id)
      // A drop's marks on changes that are not held count only once those arrive.
      change.frontier.removeAll { !streams.holds($0.dot) }
      changes.append((change, bytes))
    }
    let expected = streams.all.reduce(0) { $0 + Int($1.held) }
    var problems: [String] = []
    if changes.count != expected {
      problems.append("it holds \(changes.count) changes and counts \(expected)")
    }
    let state = PaletteState(palette.id, of: changes)
    if state.digest != palette.digest { problems.append("its digest is not that of its changes") }
    let differing = Set(states.keys).union(state.records.keys).filter {
      states[$0]?.values != state.records[$0]?.values
    }
    if let example = differing.min() {
      problems.append("\(differing.count) records are not what their changes say, as \(example)")
    }
    if state.isVisible != streams.isVisible {
      problems.append("whether it is dropped is not what its changes say")
    }
    return problems
  }
}

/// The figures that the rows of a palette's records amount to.
private struct VerifiedRecords {
  var title: String?
  var colors = 0
  var conflicts = 0
  var digest = Digest.zero
  var states: [RecordID: RecordState] = [:]
  var problems: [String] = []
}
