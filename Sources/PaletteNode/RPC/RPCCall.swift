internal import PaletteCommands
internal import PaletteJSON

/// One call of a JSON-RPC message, after the checks that do not depend on the method.
struct RPCCall {
  /// The id to answer under; nil for a notification, which gets no answer.
  let id: JSON?
  let method: String
  /// The parameters by name.
  let parameters: JSONObject
  /// True if the caller wants to be told how far it is.
  let wantsProgress: Bool
  /// True if it came together with others.
  let isInBatch: Bool
  /// The part that was done before its turn: its pieces, or the reason why it fails; nil if there
  /// is none.
  private(set) var prepared: Result<[PreparedCall], APIError>?

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
    wantsProgress = members["progress"]?.boolValue == true
    self.method = method
    self.isInBatch = isInBatch
    switch members["params"] {
    case nil, .array([]): parameters = [:]
    case .object(let named): parameters = named
    default: throw .invalidParameters("the member 'params' must be an object: names, not positions")
    }
    prepared = CommandTable.command(named: method)?.callInTurns.map { .success([$0]) }
  }

  /// True if carrying it out again changes nothing.
  var onlyReads: Bool {
    CommandTable.command(named: method)?.effect.onlyReads ?? true
  }

  /// Does what of the call needs no library, which may take long.
  mutating func prepare() {
    guard let prepare = CommandTable.command(named: method)?.prepare else { return }
    do throws(APIError) {
      prepared = .success(try prepare(parameters))
    } catch {
      prepared = .failure(error)
    }
  }

  /// True if a part of it can be done before its turn, and is not done yet.
  var needsPreparation: Bool {
    prepared == nil && CommandTable.command(named: method)?.prepare != nil
  }

  /// The id to answer an unreadable call under.
  static func id(of value: JSON) -> JSON {
    guard let id = value["id"], id.stringValue != nil || id.numberValue != nil else { return .null }
    return id
  }
}
