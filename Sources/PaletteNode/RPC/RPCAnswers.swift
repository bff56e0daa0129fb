internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON

/// Collects the answers to the calls of one message, which may be carried out in several turns.
final class RPCAnswers {
  /// The most bytes of the results of a batch.
  static let byteLimit = 16 << 20

  private let isBatch: Bool
  private let count: Int
  private var missing: Int
  /// The answers so far, as they are sent.
  private var bytes: [UInt8] = []
  private var resultBytes = 0
  /// True if the rest of the batch is not carried out, because there is no room for its results.
  private(set) var isFull = false

  /// Prepares to answer a message.
  init(to request: RPCRequest) {
    isBatch = request.isBatch
    count = request.entries.count
    missing = count
  }

  /// True if the message holds one call.
  var isLone: Bool { count == 1 }

  /// Carries out one call, unless the results of the batch have too many bytes already.
  ///
  /// - Parameters:
  ///   - entry: The next call.
  ///   - answer: Carries it out; the document of its reply is passed on verbatim.
  /// - Returns: Its result, or why it has none.
  func result(
    of entry: RPCRequest.Entry,
    _ answer: (RPCCall) throws(RPCError) -> any Answer
  ) -> Result<any Answer, RPCError> {
    let call: RPCCall
    switch entry {
    case .unreadable(_, let error): return .failure(error)
    case .call(let readable): call = readable
    }
    do throws(RPCError) {
      guard !isFull else { throw .overBudget }
      let reply = try answer(call)
      guard isBatch, call.id != nil, !(reply is Unfinished) else { return .success(reply) }
      let document = reply.bytes
      // One result may be as long as that of a call outside a batch; an edit cannot be taken back.
      let fits = resultBytes == 0 || document.count <= Self.byteLimit - resultBytes
      isFull = !fits || document.count >= Self.byteLimit
      guard fits || !call.onlyReads else { throw .overBudget }
      resultBytes += document.count
      return .success(ReceivedAnswer(document))
    } catch {
      return .failure(error)
    }
  }

  /// Adds the answer to the next call.
  ///
  /// - Parameters:
  ///   - result: What is answered.
  ///   - id: The id to answer under; nil when nobody waits for the answer.
  /// - Returns: The message to send, once every call is answered; nil before that, and when nobody
  ///   waits for any of them.
  func add(_ result: Result<any Answer, RPCError>, to id: JSON?) -> [UInt8]? {
    missing -= 1
    if let id {
      let response = RPCResponder.response(to: id, result.map(\.bytes))
      guard isBatch else { return response }
      bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
      bytes += response
    }
    guard missing == 0, !bytes.isEmpty else { return nil }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}

extension RPCError {
  /// The reason why the rest of a batch is not answered.
  static let overBudget = RPCError(
    .failed,
    APIError(
      code: "over-budget",
      message: "the results of one batch have at most \(RPCAnswers.byteLimit >> 20) MiB",
      hint: "send this call in a message of its own"
    )
  )
}
