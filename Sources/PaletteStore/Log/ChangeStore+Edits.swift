public import PaletteModel

/// An edit with a name that its maker gave it, to be able to send it again.
struct NamedEdit {
  let id: RecordID
  let author: AuthorID
}

/// Edits that are sent again because their makers have not heard what became of them.
extension ChangeStore {
  /// How long an edit is remembered: 7 days.
  public static let editMilliseconds: Int64 = 7 * 86_400_000
  /// The longest answer that is remembered with it.
  public static let editAnswerBytes = 64 << 10

  /// What an edit was answered; empty where that was too long, nil where it was not made.
  public func answer(
    toEdit id: RecordID,
    by author: AuthorID
  ) throws(StoreError) -> [UInt8]? {
    let select = try connection.prepare(
      "SELECT answer FROM edit WHERE author = ?1 AND id = ?2 AND at > ?3"
    )
    try select.bind(author.rawValue, at: 1)
    try select.bind(id, at: 2)
    try select.bind(nowMilliseconds - Self.editMilliseconds, at: 3)
    return try select.row { $0.bytes(0) }
  }

  /// Carries out an edit and remembers it.
  ///
  /// That it was made is noted in the same transaction as what it writes. Its answer, which is known
  /// only then, follows; within a group both become durable together. One that fails is forgotten.
  ///
  /// - Parameters:
  ///   - id: What its maker calls it.
  ///   - author: Its maker.
  ///   - body: Makes the edit, and gives the answer.
  /// - Returns: The answer.
  /// - Throws: What `body` throws, or `StoreError` when the store failed.
  public func remember(
    _ id: RecordID,
    by author: AuthorID,
    _ body: () throws -> [UInt8]
  ) throws -> [UInt8] {
    let edit = NamedEdit(id: id, author: author)
    namedEdit = edit
    defer { namedEdit = nil }
    let answer = try body()
    namedEdit = nil
    let kept = answer.count <= Self.editAnswerBytes ? answer : []
    try write(as: author) { _ throws(StoreError) in try note(edit, answer: kept) }
    return answer
  }

  /// Notes an edit, within a transaction, and forgets old ones: sooner than new ones come.
  func note(_ edit: NamedEdit, answer: [UInt8]) throws(StoreError) {
    let insert = try connection.prepare(
      "INSERT OR REPLACE INTO edit(author, id, at, answer) VALUES(?1, ?2, ?3, ?4)"
    )
    try insert.bind(edit.author.rawValue, at: 1)
    try insert.bind(edit.id, at: 2)
    try insert.bind(nowMilliseconds, at: 3)
    try insert.bind(answer, at: 4)
    try insert.run()
    let forget = try connection.prepare(
      """
      DELETE FROM edit WHERE number IN (SELECT number FROM edit ORDER BY number LIMIT 2) AND at < ?1
      """
    )
    try forget.bind(nowMilliseconds - Self.editMilliseconds, at: 1)
    try forget.run()
  }
}
