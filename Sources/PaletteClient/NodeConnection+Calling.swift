package import PaletteCommands
internal import PaletteFormats

extension NodeConnection: LibraryAPI {
  /// Lets the node answer one request.
  package func call(_ request: Request) throws(APIError) -> any Answer {
    try call(request) {}
  }

  /// Lets the node answer one request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - waiting: Called now and then until the answer comes; what it throws ends the waiting.
  /// - Returns: The answer.
  /// - Throws: What the node says is wrong, or what `waiting` throws.
  func call(
    _ request: Request,
    waiting: () throws(APIError) -> Void
  ) throws(APIError) -> any Answer {
    try send(request)
    while !hasMessage(withinMilliseconds: Self.interval) { try waiting() }
    while let message = try receive() {
      // Notifications may come first; the answer is known by its id.
      if let result = try Self.result(in: message) { return ReceivedAnswer(result) }
    }
    throw Self.ended
  }

  /// Asks the node, and does not wait for the answer.
  func send(_ request: Request) throws(APIError) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0" as String?)
    writer.member("id", 1)
    writer.member("method", request.method)
    writer.member("params", request.parameters)
    writer.endObject()
    try send(writer.bytes)
  }

  /// How long to wait before saying so again.
  private static let interval: CInt = 100

  /// How a node begins an answer, so that a long one need not be parsed to be passed on.
  private static let prefix = Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8)

  private static func result(in message: [UInt8]) throws(APIError) -> [UInt8]? {
    if message.starts(with: prefix) { return Array(message[prefix.count..<(message.count - 1)]) }
    let document = try JSON(answer: message)
    guard document["method"].isNull else { return nil }
    let error = document["error"]
    guard error.isObject else { return (document["result"] ?? .null).bytes }
    throw APIError(
      code: error["data"]["code"].stringValue ?? "failed",
      message: error["data"]["message"].stringValue ?? error["message"].stringValue
        ?? "the node failed",
      hint: error["data"]["hint"].stringValue
    )
  }
}
