internal import PaletteFormats

/// The rules of JSON-RPC 2.0: a message in, at most one message out.
enum RPCResponder {
  /// The most calls that one message may hold.
  static let batchLimit = 256

  /// Answers a message.
  ///
  /// - Parameters:
  ///   - message: What came in.
  ///   - answer: Carries out one call; the result is one JSON document and is passed on verbatim.
  /// - Returns: What to send back; nil when nobody waits for anything.
  static func respond(
    to message: [UInt8],
    answer: (RPCCall) throws(RPCError) -> [UInt8]
  ) -> [UInt8]? {
    let value: JSON
    do {
      value = try JSON(parsing: message)
    } catch {
      return response(to: .null, .failure(.parse("\(error)")))
    }
    guard let calls = value.arrayValue else {
      return respond(to: value, isInBatch: false, answer)
    }
    guard (1...batchLimit).contains(calls.count) else {
      let reason = "a batch has 1 to \(batchLimit) calls, this one has \(calls.count)"
      return response(to: .null, .failure(.invalidRequest(reason)))
    }
    let responses = calls.compactMap { respond(to: $0, isInBatch: true, answer) }
    guard !responses.isEmpty else { return nil }
    return Array("[".utf8) + responses.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }

  private static func respond(
    to value: JSON,
    isInBatch: Bool,
    _ answer: (RPCCall) throws(RPCError) -> [UInt8]
  ) -> [UInt8]? {
    do throws(RPCError) {
      let call = try RPCCall(value, isInBatch: isInBatch)
      let outcome: Result<[UInt8], RPCError>
      do throws(RPCError) {
        outcome = .success(try answer(call))
      } catch {
        outcome = .failure(error)
      }
      return call.id.map { response(to: $0, outcome) }
    } catch {
      // Wrong parameters do not make a notification a call; of all else that cannot be read nobody
      // can tell what it was.
      if error.code == .invalidParameters, value["id"] == nil { return nil }
      return response(to: RPCCall.id(of: value), .failure(error))
    }
  }

  private static func response(to id: JSON, _ outcome: Result<[UInt8], RPCError>) -> [UInt8] {
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
