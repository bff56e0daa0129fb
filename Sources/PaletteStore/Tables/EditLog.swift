package import PaletteMerge
package import PaletteModel

/// The edits that were given a name by their makers, who send them again when they have not heard what
/// became of them.
final class EditLog {
  private struct NamedEdit {
    let id: RecordID
    let author: AuthorID
  }

  /// The time that an edit is remembered: 7 days.
  static let lifetimeMilliseconds: Int64 = 7 * 86_400_000

  private let database: StoreDatabase
  private let clock: StoreClock
  /// About how many bytes a row has beside the answer.
  static let rowBytes = 64
  /// What edits that were recorded since take, by their makers.
  private var recorded: [AuthorID: Int] = [:]
  /// The edit that is being made, where it has a name.
  private var current: NamedEdit?

  init(_ database: StoreDatabase, _ clock: StoreClock) {
    self.database = database
    self.clock = clock
  }

  /// Makes an edit that has a name: each write in `body` records it.
  func naming<Result>(
    _ id: RecordID,
    by author: AuthorID,
    _ body: () throws -> Result
  ) rethrows -> Result {
    current = NamedEdit(id: id, author: author)
    defer { current = nil }
    return try body()
  }

  /// Removes the count of what edits take that were recorded since, by their makers: also those that
  /// changed nothing.
  func removeRecordedBytes() -> [AuthorID: Int] {
    defer { recorded = [:] }
    return recorded
  }

  /// Counts an edit that was recorded with its answer.
  func count(answerBytes: Int, by author: AuthorID) {
    if author != .library { recorded[author, default: 0] += Self.rowBytes + answerBytes }
  }

  /// Records the edit that is being made, within its transaction, still without an answer.
  func recordCurrent() throws(StoreError) {
    if let current { try record(current.id, by: current.author, answer: []) }
  }

  /// Records an edit with its answer, within a transaction, and forgets old ones: sooner than new ones
  /// come.
  func record(
    _ id: RecordID,
    by author: AuthorID,
    answer: [UInt8]
  ) throws(StoreError) {
    let insert = try database.prepare(
      "INSERT OR REPLACE INTO edit(author, id, at, answer) VALUES(?1, ?2, ?3, ?4)"
    )
    try insert.bind(author.rawValue, at: 1)
    try insert.bind(id, at: 2)
    try insert.bind(clock.nowMilliseconds, at: 3)
    try insert.bind(answer, at: 4)
    try insert.run()
    let forget = try database.prepare(
      """
      DELETE FROM edit WHERE number IN (SELECT number FROM edit ORDER BY number LIMIT 2) AND at < ?1
      """
    )
    try forget.bind(clock.nowMilliseconds - Self.lifetimeMilliseconds, at: 1)
    try forget.run()
  }

  /// The answer that an edit got; empty if it was too long to be kept, nil if the edit was not
  /// made.
  func answer(to id: RecordID, by author: AuthorID) throws(StoreError) -> [UInt8]? {
    let select = try database.prepare(
      "SELECT answer FROM edit WHERE author = ?1 AND id = ?2 AND at > ?3"
    )
    try select.bind(author.rawValue, at: 1)
    try select.bind(id, at: 2)
    try select.bind(clock.nowMilliseconds - Self.lifetimeMilliseconds, at: 3)
    return try select.row { $0.bytes(0) }
  }
}

/// The changes of one palette that one transaction made durable.
package struct CommittedChanges: Sendable {
  /// The palette.
  package let palette: PaletteID
  /// The changes, in the order in which they were taken.
  package let changes: [Entry]
  /// The records whose shown values may have changed, each once.
  package let records: [RecordID]
  /// True if the palette was taken whole, so that any record may show something else.
  package let isRebuilt: Bool

  /// The authors of the changes; one who wrote several in a row comes once for them.
  package var authors: [NodeID] {
    var authors: [NodeID] = []
    // By their places: to lend whole changes would copy each.
    for index in changes.indices where authors.last != changes[index].dot.node {
      authors.append(changes[index].dot.node)
    }
    return authors
  }

  /// A change with its bytes.
  package struct Entry: Sendable {
    /// The name of the change.
    package let dot: Dot
    /// The time of its making.
    package let stamp: Stamp
    /// Its bytes.
    package let bytes: ChangeBytes
    /// How many changes that are not held it says to have seen, each of which is remembered.
    package var aheadCount = 0
  }
}
