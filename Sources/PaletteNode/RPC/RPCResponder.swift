internal import PaletteCommands
internal import PaletteJSON

/// The replies of a JSON-RPC 2.0 server.
enum RPCResponder {
  /// Answers a message at once.
  static func respond(
    to message: [UInt8],
    answer: (RPCCall) throws(RPCError) -> [UInt8]
  ) -> [UInt8]? {
    let request = RPCRequest(parsing: message)
    let answers = RPCAnswers(to: request)
    var response: [UInt8]?
    for entry in request.entries {
      let result = answers.result(of: entry) { call throws(RPCError) in
        ReceivedAnswer(try answer(call))
      }
      response = answers.add(result, to: entry.id)
    }
    return response
  }

  /// The answer to one call.
  static func response(to id: JSON, _ outcome: Result<[UInt8], RPCError>) -> [UInt8] {
    var writer = JSONWriter(capacity: ((try? outcome.get().count) ?? 0) + 128)
    writer.beginObject()
    writer.member("jsonrpc", "2.0" as String?)
    writer.member("id", id)
    switch outcome {
    case .success(let document):
      writer.key("result")
      writer.document(document)
    case .failure(let error):
      writer.key("error")
      writer.error(error)
    }
    writer.endObject()
    return writer.bytes
  }

  /// A message that no call asked for.
  static func notification(_ method: String, _ parameters: [UInt8]) -> [UInt8] {
    var writer = JSONWriter(capacity: parameters.count + 64)
    writer.beginObject()
    writer.member("jsonrpc", "2.0" as String?)
    writer.member("method", method)
    writer.key("params")
    writer.document(parameters)
    writer.endObject()
    return writer.bytes
  }
}
