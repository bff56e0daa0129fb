/// The prepared statements of one connection.
///
/// A statement cannot be copied, so each has a box of its own; boxes are made when they are first
/// asked for, since a command line call needs few of them.
final class PreparedQueries {
  /// Keeps one statement.
  final class Box {
    let statement: Statement

    init(_ statement: consuming Statement) {
      self.statement = statement
    }
  }

  private var boxes = [Box?](repeating: nil, count: Query.allCases.count)

  /// The statement of a query.
  func box(_ query: Query, on connection: borrowing Connection) throws(StoreError) -> Box {
    if let box = boxes[query.rawValue] { return box }
    let box: Box
    do throws(StoreError) {
      box = Box(try connection.prepare(query.sql))
    } catch  where error.code == .failed {
      // The statements are sound: then the description of the tables is not.
      throw error.corrupt
    }
    boxes[query.rawValue] = box
    return box
  }
}
