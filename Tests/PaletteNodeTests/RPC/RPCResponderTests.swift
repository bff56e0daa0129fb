import PaletteJSON
import Testing

@testable import PaletteCommands
@testable import PaletteNode

struct RPCResponderTests {
  /// Answers `echo` with its parameters, fails `fail`, knows nothing else.
  private static func respond(_ message: String) -> String? {
    let response = RPCResponder.respond(to: Array(message.utf8)) { call throws(RPCError) in
      switch call.method {
      case "echo": return JSON.object(call.parameters).bytes
      case "verbatim": return Array(#"{ "spaces" :  1.50 }"#.utf8)
      case "fail": throw RPCError(APIError(code: "not-found", message: "no", hint: "look"))
      default: throw RPCError(.methodNotFound, APIError(code: "not-found", message: "unknown"))
      }
    }
    return response.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      (
        #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[1,"é"]}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{"a":[1,"é"]}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":"x","method":"verbatim"}"#,
        #"{"jsonrpc":"2.0","id":"x","result":{ "spaces" :  1.50 }}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":null,"method":"echo","params":[]}"#,
        #"{"jsonrpc":"2.0","id":null,"result":{}}"#
      ),
      (
        #"{"jsonrpc":"2.0","id":7,"method":"fail"}"#,
        #"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no","#
          + #""data":{"code":"not-found","message":"no","hint":"look"}}}"#
      ),
      (#"{"jsonrpc":"2.0","method":"echo"}"#, nil),
      (#"{"jsonrpc":"2.0","method":"fail"}"#, nil),
      (#"{"jsonrpc":"2.0","method":"echo","params":[1]}"#, nil),
      (#"[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","method":"fail"}]"#, nil),
      (
        #"[{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","method":"echo"},"#
          + #"{"jsonrpc":"2.0","id":2,"method":"echo"}]"#,
        #"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]"#
      ),
    ] as [(String, String?)]
  )
  func answers(_ message: String, _ response: String?) {
    #expect(Self.respond(message) == response)
  }

  @Test(arguments: [
    ("{", -32700, "null"), ("", -32700, "null"), ("[]", -32600, "null"), ("1", -32600, "null"),
    (#"{"id":1,"method":"echo"}"#, -32600, "1"),
    (#"{"jsonrpc":"1.0","id":1,"method":"echo"}"#, -32600, "1"),
    (#"{"jsonrpc":"2.0","id":"a"}"#, -32600, #""a""#),
    (#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32600, "1"),
    (#"{"jsonrpc":"2.0","id":[],"method":"echo"}"#, -32600, "null"),
    (#"{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}"#, -32602, "1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"echo","params":"a"}"#, -32602, "1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32601, "1"),
  ])
  func refuses(_ message: String, _ code: Int, _ id: String) throws {
    let response = try #require(Self.respond(message))
    #expect(response.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"#))
  }

  @Test func answersEveryPartOfABatch() throws {
    let response = try #require(Self.respond(#"[1,{"jsonrpc":"2.0","id":3,"method":"echo"}]"#))
    let parts = try #require(try JSON(parsing: response).arrayValue)
    #expect(parts.count == 2)
    #expect(parts[0]["error"]?["code"] == -32600)
    #expect(parts[1]["id"] == 3)
  }

  @Test func boundsABatch() throws {
    let call = #"{"jsonrpc":"2.0","id":1,"method":"echo"}"#
    let largest = "[" + Array(repeating: call, count: 64).joined(separator: ",") + "]"
    #expect(try JSON(parsing: #require(Self.respond(largest))).arrayValue?.count == 64)
    let larger = "[" + Array(repeating: call, count: 65).joined(separator: ",") + "]"
    let refusal = try JSON(parsing: #require(Self.respond(larger)))
    #expect(refusal["error"]?["code"] == -32600 && refusal["id"] == .null)
    #expect(
      refusal["error"]?["message"]?.stringValue == "a batch has 1 to 64 calls, this one has 65"
    )
  }

  /// Answers a batch of calls, each with a text of so many bytes.
  ///
  /// - Returns: The code of each answer's error, `ok` where there is none, and how many calls were
  ///   carried out.
  private static func outcomes(
    of calls: [(method: String, bytes: Int)]
  ) throws -> (codes: [String], count: Int) {
    let texts = calls.enumerated().map { index, call in
      #"{"jsonrpc":"2.0","id":\#(index),"method":"\#(call.method)"}"#
    }
    var count = 0
    let response = RPCResponder.respond(to: Array("[\(texts.joined(separator: ","))]".utf8)) {
      call in
      count += 1
      let size = calls[Int(call.id?.integerValue ?? 0)].bytes
      return [UInt8(ascii: "\"")] + [UInt8](repeating: 65, count: size - 2) + [UInt8(ascii: "\"")]
    }
    let message = try #require(response)
    let answers = try #require(try JSON(parsing: message).arrayValue)
    return (
      answers.map { $0["error"].map { $0["data"]?["code"]?.stringValue ?? "none" } ?? "ok" }, count
    )
  }

  @Test func boundsTheResultsOfABatch() throws {
    let mebibyte = 1 << 20
    // What fits exactly fits; then nothing more is carried out, edits included.
    let full = try Self.outcomes(of: [
      ("list", 10 * mebibyte), ("list", 6 * mebibyte), ("list", 2), ("add", 2), ("list", 2),
    ])
    #expect(full.codes == ["ok", "ok"] + Array(repeating: "over-budget", count: 3))
    #expect(full.count == 3)
    // One result may be longer, as outside a batch.
    let first = try Self.outcomes(of: [("list", 20 * mebibyte), ("list", 2)])
    #expect(first.codes == ["ok", "over-budget"] && first.count == 1)
    // What an edit wrote is told, however long its result is.
    let edit = try Self.outcomes(of: [("list", 10 * mebibyte), ("add", 7 * mebibyte), ("add", 2)])
    #expect(edit.codes == ["ok", "ok", "over-budget"] && edit.count == 2)
    // Outside a batch nothing is counted.
    let lone = #"{"jsonrpc":"2.0","id":0,"method":"list"}"#
    let response = RPCResponder.respond(to: Array(lone.utf8)) { _ in
      [UInt8](repeating: UInt8(ascii: "1"), count: 20 * mebibyte)
    }
    #expect(try #require(response).count > 20 * mebibyte)
  }
}
