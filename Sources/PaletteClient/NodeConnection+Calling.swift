package import PaletteCommands
internal import PaletteFormats

extension NodeConnection: LibraryAPI {
  /// Lets the node answer one request.
  package func call(_ request: Request) throws(APIError) -> any Answer {
    try call(request, report: nil)
  }

  /// Lets the node answer one request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - report: Is told now and then, until the answer comes, how far the node is; what it throws ends
  ///     the waiting. Nil where nobody wants to know.
  /// - Returns: The answer.
  /// - Throws: What the node says is wrong, or what `report` throws.
  func call(_ request: Request, report: ProgressReport?) throws(APIError) -> any Answer {
    try send(request, asksForProgress: report != nil)
    var stoppedSince: ContinuousClock.Instant?
    while true {
      while !hasMessage(withinMilliseconds: Self.interval) {
        try report?(Progress(""))
        guard !isStopped(since: &stoppedSince) else { throw Self.stopped }
      }
      guard let message = try receive() else { throw Self.ended }
      // Notifications may come first; the answer is known by its id.
      switch try Self.content(of: message) {
      case .result(let result): return ReceivedAnswer(result)
      case .progress(let progress): try report?(progress)
      case .other: continue
      }
    }
  }

  /// Asks the node, and does not wait for the answer.
  func send(_ request: Request, asksForProgress: Bool = false) throws(APIError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0" as String?)
    writer.member("id", 1)
    writer.member("method", request.method)
    writer.member("params", request.parameters)
    if asksForProgress { writer.member("progress", true) }
    writer.endObject()
    try send(writer.bytes)
  }

  /// How long to wait before saying so again.
  private static let interval: CInt = 100

  /// How a node begins an answer, so that a long one need not be parsed to be passed on.
  private static let prefix = Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8)

  /// What a message of the node is about.
  private enum MessageContent {
    case result([UInt8])
    case progress(Progress)
    case other
  }

  private static func content(of message: [UInt8]) throws(APIError) -> MessageContent {
    if message.starts(with: prefix) {
      return .result(Array(message[prefix.count..<(message.count - 1)]))
    }
    let document = try JSON(answer: message)
    guard document["method"].isNull else {
      guard document["method"] == "progress" else { return .other }
      return .progress(Progress(document["params"] ?? .null))
    }
    let error = document["error"]
    guard error.isObject else { return .result((document["result"] ?? .null).bytes) }
    throw APIError(
      code: error["data"]["code"].stringValue ?? "failed",
      message: error["data"]["message"].stringValue ?? error["message"].stringValue
        ?? "the node failed",
      hint: error["data"]["hint"].stringValue
    )
  }
}
