internal import PaletteCommands
internal import PaletteJSON

/// The reason why a JSON-RPC call has no result.
struct RPCError: Error, Equatable {
  /// The number that JSON-RPC gives to the kind of error.
  enum Code: Int, CaseIterable {
    /// The message is no JSON.
    case parse = -32700
    /// The message is no request.
    case invalidRequest = -32600
    /// There is no such method.
    case methodNotFound = -32601
    /// The parameters do not fit the method.
    case invalidParameters = -32602
    /// The method was carried out and failed; `data` says why.
    case failed = -32000
    /// The caller's role does not allow the method.
    case notAllowed = -32001
  }

  let code: Code
  let cause: APIError

  init(_ code: Code, _ cause: APIError) {
    self.code = code
    self.cause = cause
  }

  /// Converts the failure of a command.
  init(_ error: APIError) {
    let code: Code =
      switch error.code {
      case "bad-usage": .invalidParameters
      case "not-allowed": .notAllowed
      default: .failed
      }
    self.init(code, error)
  }

  static func parse(_ reason: String) -> RPCError {
    RPCError(.parse, APIError(code: "bad-usage", message: "the message is no JSON: \(reason)"))
  }

  static func invalidRequest(_ reason: String) -> RPCError {
    RPCError(.invalidRequest, APIError(code: "bad-usage", message: reason))
  }

  static func invalidParameters(_ reason: String) -> RPCError {
    RPCError(.invalidParameters, APIError(code: "bad-usage", message: reason))
  }

  static func notAllowed(_ reason: String) -> RPCError {
    RPCError(.notAllowed, APIError(code: "not-allowed", message: reason))
  }
}

extension JSONWriter {
  /// Writes `{"code","message","data":{"code","message","hint"}}`.
  mutating func error(_ error: RPCError) {
    beginObject()
    member("code", error.code.rawValue)
    member("message", error.cause.message)
    key("data")
    value(error.cause.document)
    endObject()
  }
}
