internal import PaletteCommands
internal import PaletteFormats

/// One call of a JSON-RPC message, after the checks that do not depend on the method.
struct RPCCall {
  /// The id to answer under; nil for a notification, which gets no answer.
  let id: JSON?
  let method: String
  /// The parameters by name.
  let parameters: JSONObject
  /// Whether it came together with others.
  let isInBatch: Bool

  /// Reads a call.
  init(_ value: JSON, isInBatch: Bool) throws(RPCError) {
    guard let members = value.objectValue else {
      throw .invalidRequest("a call must be an object")
    }
    guard members["jsonrpc"] == "2.0" else {
      throw .invalidRequest("the member 'jsonrpc' must be \"2.0\"")
    }
    guard let method = members["method"]?.stringValue else {
      throw .invalidRequest("the member 'method' must be a text")
    }
    if let id = members["id"] {
      guard id.isNull || id.stringValue != nil || id.numberValue != nil else {
        throw .invalidRequest("the member 'id' must be a text or a number")
      }
    }
    id = members["id"]
    self.method = method
    self.isInBatch = isInBatch
    switch members["params"] {
    case nil, .array([]): parameters = [:]
    case .object(let named): parameters = named
    default: throw .invalidParameters("the member 'params' must be an object: names, not positions")
    }
  }

  /// Whether carrying it out again changes nothing.
  var onlyReads: Bool {
    CommandTable.command(named: method)?.effect.onlyReads ?? true
  }

  /// The id to answer an unreadable call under.
  static func id(of value: JSON) -> JSON {
    guard let id = value["id"], id.stringValue != nil || id.numberValue != nil else { return .null }
    return id
  }
}
