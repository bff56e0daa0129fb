internal import PaletteMerge
package import PaletteModel

/// The changes of a palette that a reissue takes back, and what the others say of them.
struct ReissuePlan {
  /// An own change with its place in the order of commit.
  struct Row {
    let arrival: Int64
    let change: Change
  }

  /// The last number that stays, for each node id.
  private(set) var cuts: [NodeID: Reissue.Cut]
  /// The changes to issue again, in a causal order.
  private(set) var tail: [Row] = []
  /// The own changes that stay.
  private(set) var kept: [Row] = []
  /// The marks of changes that stay on dots that are taken back: they mean the peers' changes
  /// there.
  private(set) var marks: [PendingReference] = []
  /// The values that changes which are taken back replaced or covered.
  private var known: Set<ValueName> = []
  /// The changes to issue again that compacted changes covered.
  private var coveredBefore: Set<Dot> = []

  /// Reads all changes of a palette.
  ///
  /// - Parameters:
  ///   - reissue: What is to be issued again.
  ///   - palette: The palette.
  ///   - reader: Reads it.
  ///   - identity: Knows which changes are own.
  /// - Throws: `StoreError` when the store failed.
  init(
    _ reissue: Reissue,
    of palette: PaletteID,
    in reader: PaletteReader,
    _ identity: LibraryIdentity
  ) throws(StoreError) {
    cuts = reissue.cuts
    var own: [Row] = []
    var others: [PendingReference] = []
    try reader.forEachChange(of: palette) { arrival, bytes throws(StoreError) in
      let change = try ChangeRow.decode(bytes, in: palette)
      if identity.isOwn(change.dot.node) {
        own.append(Row(arrival: arrival, change: change))
      } else {
        others += change.waiting.filter { identity.isOwn($0.dot.node) }
      }
    }
    for row in own.sorted(by: { $0.arrival < $1.arrival }) { sort(row) }
    marks = others.filter { withdraws($0.dot) }
    known = Set(tail.lazy.flatMap(\.change.marks).map(\.value))
    if let row = try reader.paletteRow(palette) {
      let streams = try reader.streams(of: row)
      let before = try CoveredBefore(of: row, in: reader.database)
      let dots = tail.lazy.map(\.change.dot)
      coveredBefore = Set(dots.filter { streams.changeNumber($0).map(before.contains) ?? false })
    }
  }

  /// The marks that compacted changes had on changes that are taken back.
  ///
  /// A change that counts as taken back may have left all the same. When it comes again it must not
  /// show what others had replaced or covered.
  func forgottenMarks(
    of rows: [Row],
    _ state: RecordState,
    in palette: PaletteID
  ) -> [PendingReference] {
    let said = Set(marks)
    return rows.flatMap { row in
      let proof = ChangeHash(of: row.change.encoded, in: palette).proof
      return row.change.writes.compactMap { write -> PendingReference? in
        let (record, dot) = (row.change.record, row.change.dot)
        let live = state.values.first { $0.dot == dot && $0.register == write.register }
        if let live, !live.isCovered { return nil }
        let register = live == nil ? write.register : nil
        let effect = register.map(PendingReference.Effect.replaced) ?? .covered
        let mark = PendingReference(record: record, dot: dot, effect, proof: proof)
        let name = ValueName(record: record, dot: dot, register: register)
        if said.contains(mark) { return nil }
        // A value may have been covered twice, by a change that is taken back as well.
        let isForgotten = !known.contains(name) || live != nil && coveredBefore.contains(dot)
        return isForgotten ? mark : nil
      }
    }
  }

  /// Returns whether a change is taken back.
  func withdraws(_ dot: Dot) -> Bool {
    cuts[dot.node].map { dot.sequence > $0.sequence } ?? false
  }

  /// The marks without a proof, on own changes that stay: under another id they need one.
  var unproven: [Dot] {
    tail.flatMap { row in
      (row.change.marks.map(\.seen) + row.change.frontier).filter { $0.proof == nil }.dots
    }.filter { !withdraws($0) }
  }

  /// Decides on an own change, after all that it may have seen.
  private mutating func sort(_ row: Row) {
    let change = row.change
    // A change that names one that is taken back has to name the new dot, so it goes along.
    let seen = change.marks.map(\.value.dot) + change.frontier.dots
    if !withdraws(change.dot), seen.contains(where: withdraws) {
      cuts[change.dot.node] = Reissue.Cut(after: change.dot.sequence - 1, link: change.previous)
    }
    if withdraws(change.dot) {
      tail.append(row)
    } else {
      kept.append(row)
    }
  }
}

/// The own changes of a palette that are to be issued again under new dots.
package struct Reissue: Hashable, Sendable {
  /// For each of this library's node ids, the last change that stays.
  package var cuts: [NodeID: Cut]
  /// The shift of the stamps of the changes that it brings closer to the present.
  package var shift: StampShift?

  /// The points at which the changes of one node id are cut.
  package struct Cut: Hashable, Sendable {
    /// The last number that stays; 0 for none.
    package var sequence: UInt32
    /// The link of that change, where it is known; for one that was compacted away here.
    package var link: UInt64?

    /// Describes a cut.
    package init(after sequence: UInt32, link: UInt64? = nil) {
      self.sequence = sequence
      self.link = link
    }
  }

  /// Creates a reissue of what comes after some changes.
  package init(cuts: [NodeID: Cut], shift: StampShift? = nil) {
    self.cuts = cuts
    self.shift = shift
  }
}

/// The correction of stamps of a clock that was wrong.
package struct StampShift: Hashable, Sendable {
  /// The shift of a stamp.
  package let milliseconds: Int64
  /// The time that it is now, by the clock that is put right.
  package let nowMilliseconds: Int64

  /// Describes a shift.
  package init(milliseconds: Int64, nowMilliseconds: Int64) {
    self.milliseconds = milliseconds
    self.nowMilliseconds = nowMilliseconds
  }

  /// The stamp, moved unless that would take it further from the present.
  ///
  /// A clock that jumped stamped only some of the changes wrong.
  func applied(to stamp: Stamp) -> Stamp {
    let moved = stamp.milliseconds + milliseconds
    guard abs(moved - nowMilliseconds) < abs(stamp.milliseconds - nowMilliseconds) else {
      return stamp
    }
    return Stamp(milliseconds: moved, counter: UInt16(truncatingIfNeeded: stamp.rawValue))
  }
}

extension Change {
  /// The marks of the change on changes of other authors, as they wait if those are not held.
  fileprivate var waiting: [PendingReference] {
    func wait(_ seen: SeenDot, _ effect: PendingReference.Effect) -> PendingReference? {
      seen.proof.map { PendingReference(record: record, dot: seen.dot, effect, proof: $0) }
    }
    return marks.compactMap { wait($0.seen, $0.value.register.map { .replaced($0) } ?? .covered) }
      + frontier.compactMap { wait($0, .dropped) }
  }
}
