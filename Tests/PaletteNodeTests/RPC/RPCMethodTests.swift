import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteSync
import Testing

@testable import PaletteCommands
@testable import PaletteNode

struct RPCMethodTests {
  @Test func hasAMethodForEveryCommandThatANodeCanAnswer() throws {
    for command in CommandTable.commands
    where command.effect != .program && command != .recover && command != .pick {
      _ = try CommandTable.method(named: command.name)
    }
    for name in ["recover", "pick"] {
      #expect(throws: RPCError.self) { try CommandTable.method(named: name) }
    }
    let names = CommandTable.methods.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(
    arguments: [
      ("add", #"{"palette":"a","value":"red"}"#, nil),
      ("add", #"{"palette":"a","value":"red","at":0,"name":null}"#, nil),
      ("add", #"{"palette":"a"}"#, "'add' needs the parameter 'value'"),
      ("add", #"{"palette":"a","value":7}"#, "'value' must be a text"),
      ("add", #"{"palette":"a","value":"red","at":"0"}"#, "'at' must be a whole number"),
      ("add", #"{"palette":"a","value":"red","to":1}"#, "'add' takes no parameter 'to'"),
      (
        "remove", #"{"palette":"a","colors":["b",1]}"#,
        "'colors' must be a list, each element a text"
      ),
      ("palettes", #"{}"#, nil),
    ] as [(String, String, String?)]
  )
  func checksParameters(_ method: String, _ parameters: String, _ message: String?) throws {
    let parameters = try #require(try JSON(parsing: parameters).objectValue)
    let method = try CommandTable.method(named: method)
    do throws(RPCError) {
      try method.check(parameters)
      #expect(message == nil)
    } catch {
      #expect(error.code == .invalidParameters)
      #expect(error.cause.message == message)
    }
  }

  @Test(arguments: [
    (CallerRights(.viewer), ["list": true, "add": false, "backup": false]),
    (CallerRights(.editor), ["list": true, "add": true, "compact": false]),
    (CallerRights(.owner), ["list": true, "add": true, "backup": false, "config": false]),
    (CallerRights.local, ["list": true, "add": true, "backup": true, "config": true]),
  ])
  func opensMethodsByRole(_ rights: CallerRights, _ expected: [String: Bool]) throws {
    for (name, isOpen) in expected {
      #expect(try rights.allows(#require(try CommandTable.method(named: name).access)) == isOpen)
    }
  }
}
