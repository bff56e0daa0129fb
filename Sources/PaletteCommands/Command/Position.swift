internal import PaletteStore

/// The index in a list that a color is to have.
enum Position: Equatable {
  /// At an index from 0.
  case at(Int)
  /// Before the color that an argument names.
  case before(String)
  /// Behind the color that an argument names.
  case after(String)

  /// Reads `at`, `before` or `after`; nil when none is given.
  init?(_ parameters: Parameters) throws(APIError) {
    var positions: [Position] = []
    if let index = try parameters.optionalIndex("at") { positions.append(.at(index)) }
    if let color = try parameters.optionalText("before") { positions.append(.before(color)) }
    if let color = try parameters.optionalText("after") { positions.append(.after(color)) }
    guard positions.count < 2 else {
      throw APIError(code: "bad-usage", message: "at, before and after exclude one another")
    }
    guard let position = positions.first else { return nil }
    self = position
  }

  /// The index at which to insert.
  func indexForInserting(into list: [ListedColor]) throws -> Int {
    switch self {
    case .at(let index): return try Self.checked(index, upTo: list.count)
    case .before(let argument): return try list.index(named: argument)
    case .after(let argument): return try list.index(named: argument) + 1
    }
  }

  /// The index at which the color at `start` ends.
  func indexAfterMoving(from start: Int, in list: [ListedColor]) throws -> Int {
    switch self {
    case .at(let index):
      return try Self.checked(index, upTo: list.count - 1)
    case .before(let argument):
      let index = try list.index(named: argument)
      return index > start ? index - 1 : index
    case .after(let argument):
      let index = try list.index(named: argument)
      return index >= start ? index : index + 1
    }
  }

  /// An index that lies in the list.
  static func checked(_ index: Int, upTo last: Int) throws -> Int {
    if (0...last).contains(index) { return index }
    throw APIError(
      code: "bad-position",
      message: "there is no position \(index)",
      hint: last == 0 ? "the only one is 0" : "positions go from 0 to \(last)"
    )
  }
}
