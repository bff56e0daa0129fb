internal import PaletteCommands
internal import PaletteJSON
internal import PaletteMerge

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
  /// The effect of the method; nil if there is none of that name.
  private let effect: Effect?
  /// Does the part that needs no library; nil if there is none.
  private let preparation: (@Sendable (JSONObject) throws(APIError) -> [PreparedCall])?
  /// Finds the time from which it asks about the past; nil for a method that never does.
  let past: (@Sendable (Parameters, Moment) -> Int64?)?

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
    // A command is long to copy, and these are asked for several times.
    let command = CommandTable.command(named: method)
    effect = command?.effect
    preparation = command?.prepare
    past = command?.traits.past
    prepared = command?.callInTurns.map { .success([$0]) }
  }

  /// True if carrying it out again changes nothing.
  var onlyReads: Bool { effect?.onlyReads ?? true }

  /// True if it edits.
  var edits: Bool { effect?.edits ?? false }

  /// True if it can share a commit with others.
  var sharesCommit: Bool { effect?.sharesCommit ?? true }

  /// Does what of the call needs no library, which may take long.
  mutating func prepare() {
    guard let preparation else { return }
    do throws(APIError) {
      prepared = .success(try preparation(parameters))
    } catch {
      prepared = .failure(error)
    }
  }

  /// True if a part of it can be done before its turn, and is not done yet.
  var needsPreparation: Bool { prepared == nil && preparation != nil }

  /// The id to answer an unreadable call under.
  static func id(of value: JSON) -> JSON {
    guard let id = value["id"], id.stringValue != nil || id.numberValue != nil else { return .null }
    return id
  }
}
