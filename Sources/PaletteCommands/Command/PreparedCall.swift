package import PaletteJSON
internal import PaletteModel

/// Work that is carried out in several turns.
protocol StepwiseWork: Sendable {
  /// True if something was written that further steps complete.
  var hasBegun: Bool { get }
  /// Takes one step; nil where only the last one is left, which the answer takes.
  func advance(_ call: LibraryCall) throws -> Unfinished?
  /// Called when the newest step was not made durable; returns whether it wants another turn.
  func fail(_ error: APIError) -> Bool
  /// The answer, where the steps have made it too.
  var answer: [UInt8]? { get }
}

extension StepwiseWork {
  /// The answer is left to the command.
  var answer: [UInt8]? { nil }
}

/// A piece of a call of which everything is done that needs no library.
///
/// The pieces of one call are carried out one by one, so that others have their turn between them; their
/// answers together are the answer to the call.
package struct PreparedCall: Sendable {
  /// The value made of the parameters.
  let value: any Sendable
  /// The indexes of the elements of the piece's answer, a list, in that of the call.
  package let indexes: [Int]
  /// Its share of the call's work, in the call's unit.
  private let size: Int

  /// Creates a piece.
  init(_ value: any Sendable, indexes: [Int], size: Int) {
    self.value = value
    self.indexes = indexes
    self.size = size
  }

  /// Progress of the whole call, given the progress of one piece; nil if it says no more than was
  /// said already.
  package static func progress(
    _ progress: Progress,
    ofPiece number: Int,
    of pieces: [PreparedCall]
  ) -> Progress? {
    guard pieces.count > 1 else { return progress }
    guard let total = progress.total, total > 0, progress.unit == .colors else { return nil }
    let before = pieces[..<number].reduce(0) { $0 + $1.size }
    return Progress(
      progress.work,
      progress.unit,
      done: before + pieces[number].size * min(progress.done, total) / total,
      of: pieces.reduce(0) { $0 + $1.size }
    )
  }

  private var inSteps: (any StepwiseWork)? { value as? any StepwiseWork }

  /// True if it has begun what further turns complete, so that it is carried out even if nobody
  /// waits for it.
  package var goesOn: Bool { inSteps?.hasBegun ?? false }

  /// Takes a step of what has to be done before the piece can be answered; nil where that is nothing.
  func advance(_ call: LibraryCall) throws -> Unfinished? { try inSteps?.advance(call) }

  /// The answer, where the steps have made it.
  var answer: ReceivedAnswer? { inSteps?.answer.map { ReceivedAnswer($0) } }

  /// Called when what the newest turn wrote was not made durable.
  ///
  /// - Returns: Whether a further turn takes back what was written before, and tells why.
  package func fail(_ error: APIError) -> Bool { inSteps?.fail(error) ?? false }

  /// The parameters of a call as those of one of its pieces: each of several edits has an id of its own,
  /// the same each time.
  package static func parameters(_ parameters: JSONObject, ofPiece number: Int) -> JSONObject {
    guard number > 0, let id = parameters["edit"]?.stringValue.flatMap({ RecordID($0) }) else {
      return parameters
    }
    var parameters = parameters
    parameters["edit"] = JSON("\(RecordID(high: id.high, low: id.low ^ UInt64(number)))")
    return parameters
  }

  /// The answer to a call whose pieces were answered with lists of elements under one key.
  package static func answer(_ pieces: [PreparedCall], _ answers: [any Answer]) -> any Answer {
    var elements: [(index: Int, element: JSON)] = []
    for (piece, answer) in zip(pieces, answers) {
      guard let member = try? answer.json.objectValue?.members.first,
        let list = member.value.arrayValue, list.count == piece.indexes.count
      else { return answer }
      elements += zip(piece.indexes, list).map { ($0, $1) }
    }
    elements.sort { $0.index < $1.index }
    let key = (try? answers.first?.json.objectValue?.members.first?.key) ?? ""
    return ReceivedAnswer(JSON.object([key: .array(elements.map(\.element))]).bytes)
  }
}

/// The answer to a piece of a call that needs further turns: nothing yet.
package struct Unfinished: Answer {
  /// Long work to do before the next turn, beside the thread that carries the piece out.
  package let work: (@Sendable () -> Void)?
  /// True if the work may take seconds.
  package var isSlow = false

  package var json: JSON { .null }
  package var bytes: [UInt8] { json.bytes }
}
