import PaletteJSON
import PaletteMerge
import PaletteStore
import PaletteSync

@testable import PaletteCommands
@testable import PaletteNode

extension FuzzTarget {
  static let rpc = FuzzTarget(
    name: "rpc",
    summary: "a message of the JSON-RPC API",
    words: ["jsonrpc", "2.0", "id", "method", "params"]
      + CommandTable.methods.flatMap { [$0.name] + $0.parameters.map(\.name) },
    seeds: {
      let calls = CommandTable.methods.map { method in
        let parameters = method.parameters.map { "\"\($0.name)\":\"tomato\"" }
        return #"{"jsonrpc":"2.0","id":1,"method":"\#(method.name)","params":{"#
          + parameters.joined(separator: ",") + "}}"
      }
      let others = [
        #"[{"jsonrpc":"2.0","method":"formats"},{"jsonrpc":"2.0","id":"a","method":"palettes"},1]"#,
        #"{"jsonrpc":"2.0","method":"color","params":[1]}"#, "[]", "1",
      ]
      return (calls + others).map { Array($0.utf8) }
    },
    check: { bytes in
      let library = NoLibrary()
      let response = RPCResponder.respond(to: bytes) { call throws(RPCError) in
        try answer(call, library)
      }
      try ensure(library.pathsAsked == 0, "a call from afar asks for a path")
      try checkCount(of: response, to: bytes)
    }
  )

  /// As a node answers an owner who is connected from elsewhere.
  private static func answer(
    _ call: RPCCall,
    _ library: NoLibrary
  ) throws(RPCError) -> [UInt8] {
    let method = try CommandTable.method(named: call.method)
    guard let access = method.access, CallerRights(.owner).allows(access) else {
      throw .notAllowed("local")
    }
    try method.check(call.parameters)
    let parameters = JSON.object(call.parameters)
    do throws(APIError) {
      return try library.answer(Request(method: method.name, parameters: parameters)).bytes
    } catch {
      throw RPCError(error)
    }
  }

  /// Every call is answered once, a notification never.
  private static func checkCount(of response: [UInt8]?, to message: [UInt8]) throws {
    let answers = try response.map { try JSON(parsing: $0) }
    for answer in answers?.arrayValue ?? answers.map({ [$0] }) ?? [] {
      try ensure(answer["jsonrpc"] == "2.0" && answer["id"] != nil, "no response: \(answer)")
      try ensure((answer["result"] == nil) != (answer["error"] == nil), "neither or both")
    }
    guard let value = try? JSON(parsing: message) else {
      return try ensure(answers?["id"] == .null, "text that is no JSON needs one answer")
    }
    guard let calls = value.arrayValue else {
      return try ensure((answers == nil) == isNotification(value), "not one answer")
    }
    guard (1...RPCRequest.batchLimit).contains(calls.count) else {
      return try ensure(answers?.objectValue != nil, "a bad batch needs one answer")
    }
    let expected = calls.count { !isNotification($0) }
    try ensure((answers?.arrayValue?.count ?? 0) == expected, "\(expected) answers expected")
    try ensure(expected > 0 || answers == nil, "nobody waits for an answer")
  }

  private static func isNotification(_ value: JSON) -> Bool {
    value.objectValue != nil && value["jsonrpc"] == "2.0" && value["method"]?.stringValue != nil
      && value["id"] == nil
  }
}

/// Where there is no library: only what needs none has a result.
private final class NoLibrary: LibraryAccess {
  private(set) var pathsAsked = 0
  let ownName = "nobody"
  let now = Moment(milliseconds: 1_700_000_000_000)
  let listening: [String]? = nil
  let sharing: (any Sharing)? = nil
  let linking: (any Linking)? = nil

  var location: LibraryLocation {
    pathsAsked += 1
    return LibraryLocation(home: "/dev/null/home", configurationFile: "/dev/null/config")
  }

  func reading() -> ChangeStore? { nil }
  func editing() -> ChangeStore? { nil }

  func creating() throws -> ChangeStore {
    throw APIError(code: "read-only", message: "nothing is made here")
  }
}
