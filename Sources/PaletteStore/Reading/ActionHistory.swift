public import PaletteMerge
public import PaletteModel

extension PaletteReader {
  /// The actions of a palette, newest first, each counted from its changes that are held.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - limit: The most actions wanted; nil for all.
  ///   - before: Only older ones than this are wanted; nil for all.
  /// - Returns: The actions.
  /// - Throws: `StoreError` when the store failed.
  public func actions(
    of id: PaletteID,
    limit: Int? = nil,
    before: ActionID? = nil
  ) throws(StoreError) -> [ActionTally] {
    var newest = NewestActions(limit: limit)
    func count(_ action: ActionID, _ row: ActionRow) throws(StoreError) {
      if let before, action >= before { return }
      guard newest.includes(action) else { return }
      try newest.count(row.change(), action, of: row)
    }
    try forEachActionRow(of: id, from: { _ in newest.oldest }, count)
    return newest.sorted
  }

  /// Some actions of a palette, counted; those of which no change is held are left out.
  public func actions(
    _ ids: Set<ActionID>,
    of id: PaletteID
  ) throws(StoreError) -> [ActionID: ActionTally] {
    guard !ids.isEmpty else { return [:] }
    var oldest: [NodeID: ActionID] = [:]
    for action in ids { oldest[action.node] = min(oldest[action.node] ?? action, action) }
    var found = NewestActions(limit: nil)
    // An author of none of them has none that is old enough.
    let none = ActionID(Stamp(rawValue: .max), by: NodeID(.max))
    func count(_ action: ActionID, _ row: ActionRow) throws(StoreError) {
      if ids.contains(action) { try found.count(row.change(), action, of: row) }
    }
    try forEachActionRow(of: id, from: { oldest[$0] ?? none }, count)
    return found.tallies
  }

  /// The actions of this library's authors in a palette that are undone.
  public func undoneActions(of id: PaletteID) throws(StoreError) -> Set<ActionID> {
    guard let palette = try paletteRow(id) else { return [] }
    return try ActionTable.undone(in: palette, database)
  }

  /// The values that a change with one write replaced, as far as they are held.
  ///
  /// Nobody's word is taken for them: each is read from the change that wrote it.
  public func replacedValues(
    by change: Change,
    in id: PaletteID
  ) throws(StoreError) -> [RegisterValue] {
    guard change.writes.count == 1, let write = change.writes.first else { return [] }
    var values: [RegisterValue] = []
    for seen in write.saw.prefix(Self.replacedLimit) {
      guard let old = try self.change(seen.dot, of: id), old.record == change.record,
        seen.fits(ChangeHash(of: old.encoded, in: id)),
        let value = old.writes.first(where: { $0.register == write.register })?.value
      else { continue }
      values.append(value)
    }
    return values
  }

  /// Nobody reads of more values that were replaced at once.
  private static let replacedLimit = 16

  /// A row of the log, decoded where it is wanted.
  private struct ActionRow {
    let reader: PaletteReader
    let palette: PaletteRow
    let bytes: () -> [UInt8]

    func change() throws(StoreError) -> Change { try ChangeRow.decode(bytes(), in: palette.id) }

    func isEdit(_ change: Change) throws(StoreError) -> Bool {
      try reader.isEdit(change, in: palette)
    }
  }

  /// Shows the rows of a palette, author by author, each author's newest first.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - oldest: The oldest action of an author that is wanted; asked before each row.
  ///   - body: Gets the action that a row belongs to.
  /// - Throws: `StoreError` when the store failed, or what `body` throws.
  private func forEachActionRow(
    of id: PaletteID,
    from oldest: (NodeID) -> ActionID?,
    _ body: (ActionID, ActionRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let palette = try paletteRow(id) else { return }
    // Looking at a record inside needs other statements alone.
    let select = try box(.newestChangeRows)
    for stream in try streams(of: palette).all {
      try select.statement.bind(stream.changeNumber(0), at: 1)
      try select.statement.bind(stream.changeNumber(.max), at: 2)
      defer { select.statement.reset() }
      while try select.statement.step() {
        let dot = Dot(stream.node, UInt32(truncatingIfNeeded: select.statement.int64(0)))
        guard let stamp = select.statement.withBytes(1, { ChangeRow.stamp(of: $0) }) else {
          continue
        }
        let action = ActionID(stamp, by: dot.node)
        if let oldest = oldest(dot.node), action < oldest {
          // Where the author's clock has gone back, one further down may be newer.
          if stream.sortedFrom > 0, dot.sequence >= stream.sortedFrom { break }
          continue
        }
        let row = ActionRow(reader: self, palette: palette) {
          select.statement.changeBytes(1, of: dot)
        }
        try body(action, row)
      }
    }
  }

  /// The newest of many actions.
  private struct NewestActions {
    private let limit: Int?
    /// The actions that were counted.
    private(set) var tallies: [ActionID: ActionTally] = [:]
    private var claims: [ActionID: ActionClaim] = [:]
    /// The stamp of the oldest; older changes are not among the newest.
    private(set) var oldest: ActionID?

    init(limit: Int?) {
      self.limit = limit
    }

    /// Whether an action may be among the newest.
    func includes(_ action: ActionID) -> Bool { oldest.map { action >= $0 } ?? true }

    mutating func count(
      _ change: Change,
      _ action: ActionID,
      of row: ActionRow
    ) throws(StoreError) {
      guard try row.isEdit(change) else {
        if let claim = change.actionClaim {
          claims[action] = claim
          tallies[action]?.claim = claim
        }
        return
      }
      if tallies[action] == nil {
        tallies[action] = ActionTally(action)
        tallies[action]?.claim = claims[action]
      }
      tallies[action]?.count(change, in: row.palette.id)
      guard let limit, tallies.count / 2 >= max(limit, 32) else { return }
      let kept = sorted
      oldest = kept.last?.id ?? oldest
      tallies = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0) })
      claims = claims.filter { includes($0.key) }
    }

    /// The newest actions, newest first.
    var sorted: [ActionTally] {
      let sorted = tallies.values.sorted { $0.id > $1.id }
      return limit.map { Array(sorted.prefix($0)) } ?? sorted
    }
  }
}
