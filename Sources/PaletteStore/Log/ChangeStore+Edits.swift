public import PaletteModel

/// Edits that are sent again because their makers have not heard what became of them.
extension ChangeStore {
  /// How long an edit is remembered: 7 days.
  public static let editMilliseconds = EditLog.lifetimeMilliseconds
  /// The longest answer that is remembered with it.
  public static let editAnswerBytes = 64 << 10

  /// What an edit was answered; empty where that was too long, nil where it was not made.
  public func answer(
    toEdit id: RecordID,
    by author: AuthorID
  ) throws(StoreError) -> [UInt8]? {
    try edits.answer(to: id, by: author)
  }

  /// Carries out an edit and remembers it.
  ///
  /// That it was made is recorded in the same transaction as what it writes. Its answer, which is known
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
    let answer = try edits.naming(id, by: author, body)
    let kept = answer.count <= Self.editAnswerBytes ? answer : []
    try transactions.write { () throws(StoreError) in
      try edits.record(id, by: author, answer: kept)
    }
    return answer
  }
}
