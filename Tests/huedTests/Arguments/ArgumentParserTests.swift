import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteProgram
import Testing

@testable import hued

struct ArgumentParserTests {
  struct Case: CustomTestStringConvertible {
    let line: [String]
    let method: String
    let parameters: String

    init(_ line: [String], _ method: String, _ parameters: String) {
      self.line = line
      self.method = method
      self.parameters = parameters
    }

    var testDescription: String { line.joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case(["new", "A"], "new", #"{"name":"A"}"#),
    Case(["new", ""], "new", #"{"name":""}"#),
    Case(["palettes"], "palettes", "{}"),
    Case(["drop", "P", "--yes"], "drop", #"{"palette":"P"}"#),
    Case(["title", "P", "New name"], "title", #"{"palette":"P","name":"New name"}"#),
    Case(["list", "P", "--at", "now"], "list", #"{"palette":"P","at":"now"}"#),
    Case(["add", "P", "red"], "add", #"{"palette":"P","value":"red"}"#),
    Case(
      ["add", "--at", "3", "P", "red", "R"],
      "add",
      #"{"palette":"P","value":"red","name":"R","at":3}"#
    ),
    Case(
      ["add", "P", "--at=-1", "red"],
      "add",
      #"{"palette":"P","value":"red","at":-1}"#
    ),
    Case(
      ["add", "P", "red", "--at", "-1"],
      "add",
      #"{"palette":"P","value":"red","at":-1}"#
    ),
    Case(
      ["add", "P", "--before", "-x", "red"],
      "add",
      #"{"palette":"P","value":"red","before":"-x"}"#
    ),
    Case(
      ["add", "P", "red", "--after=--json"],
      "add",
      #"{"palette":"P","value":"red","after":"--json"}"#
    ),
    Case(["set", "P", "C", "blue"], "set", #"{"palette":"P","color":"C","value":"blue"}"#),
    Case(["rename", "P", "C", "N"], "rename", #"{"palette":"P","color":"C","name":"N"}"#),
    Case(["note", "P", "C", "--", "-x"], "note", #"{"palette":"P","color":"C","text":"-x"}"#),
    Case(["note", "P", "C", "-12.5"], "note", #"{"palette":"P","color":"C","text":"-12.5"}"#),
    Case(
      ["note", "--", "P", "C", "--json"],
      "note",
      #"{"palette":"P","color":"C","text":"--json"}"#
    ),
    Case(["note", "P", "C", ""], "note", #"{"palette":"P","color":"C","text":""}"#),
    Case(["--", "note", "P", "C", "--"], "note", #"{"palette":"P","color":"C","text":"--"}"#),
    Case(["move", "P", "C", "--at", "0"], "move", #"{"palette":"P","color":"C","at":0}"#),
    Case(
      ["move", "--before", "D", "P", "C"],
      "move",
      #"{"palette":"P","color":"C","before":"D"}"#
    ),
    Case(["remove", "P", "C"], "remove", #"{"palette":"P","colors":["C"]}"#),
    Case(["remove", "P", "C", "D", "E"], "remove", #"{"palette":"P","colors":["C","D","E"]}"#),
    Case(["restore", "P"], "restore", #"{"palette":"P"}"#),
    Case(["restore", "P", "C"], "restore", #"{"palette":"P","color":"C"}"#),
    Case(
      ["tweak", "P", "C", "--lighter"],
      "tweak",
      #"{"palette":"P","color":"C","direction":"lighter"}"#
    ),
    Case(
      ["tweak", "P", "C", "--darker", "25"],
      "tweak",
      #"{"palette":"P","color":"C","direction":"darker","percent":25}"#
    ),
    Case(
      ["tweak", "--darker", "2.5%", "P", "C"],
      "tweak",
      #"{"palette":"P","color":"C","direction":"darker","percent":2.5}"#
    ),
    Case(
      ["tweak", "P", "--lighter", "1234"],
      "tweak",
      #"{"palette":"P","color":"1234","direction":"lighter"}"#
    ),
    Case(
      ["tweak", "P", "--lighter=5", "1234"],
      "tweak",
      #"{"palette":"P","color":"1234","direction":"lighter","percent":5}"#
    ),
    Case(
      ["tweak", "P", "C", "7", "--lighter"],
      "tweak",
      #"{"palette":"P","color":"C","direction":"lighter","percent":7}"#
    ),
    Case(["undo", "P"], "undo", #"{"palette":"P"}"#),
    Case(["redo", "P"], "redo", #"{"palette":"P"}"#),
    Case(
      ["history", "P", "--limit", "5"],
      "history",
      #"{"palette":"P","limit":5,"actions":true}"#
    ),
    Case(["history", "P", "--changes"], "history", #"{"palette":"P","changes":true}"#),
    Case(["revert", "P", "--to", "1 hour ago"], "revert", #"{"palette":"P","to":"1 hour ago"}"#),
    Case(["conflicts"], "conflicts", "{}"),
    Case(["conflicts", "P"], "conflicts", #"{"palette":"P"}"#),
    Case(
      ["resolve", "P", "C", "name", "X"],
      "resolve",
      #"{"palette":"P","color":"C","register":"name","value":"X"}"#
    ),
    Case(["formats"], "formats", "{}"),
    Case(["color", "#fff"], "color", ##"{"value":["#fff"]}"##),
    Case(["color", "red", "blue"], "color", #"{"value":["red","blue"]}"#),
    Case(["convert", "red", "--to", "lab"], "convert", #"{"value":"red","to":"lab"}"#),
    Case(["contrast", "red", "blue"], "contrast", #"{"a":"red","b":"blue"}"#),
    Case(["name", "red"], "name", #"{"value":"red"}"#),
    Case(
      ["mix", "red", "blue", "--at", "20%", "--in", "lab"],
      "mix",
      #"{"a":"red","b":"blue","at":20,"in":"lab"}"#
    ),
    Case(["ramp", "red", "blue", "3"], "ramp", #"{"a":"red","b":"blue","count":3}"#),
    Case(
      ["ramp", "red", "blue", "lime", "tan", "9"],
      "ramp",
      #"{"a":"red","b":"blue","more":["lime","tan"],"count":9}"#
    ),
    Case(["lighten", "red"], "lighten", #"{"value":"red"}"#),
    Case(["darken", "red", "5.5"], "darken", #"{"value":"red","points":5.5}"#),
    Case(["saturate", "red", "20%"], "saturate", #"{"value":"red","percent":20}"#),
    Case(["desaturate", "red"], "desaturate", #"{"value":"red"}"#),
    Case(["rotate", "red", "-30"], "rotate", #"{"value":"red","degrees":-30}"#),
    Case(["complement", "red"], "complement", #"{"value":"red"}"#),
    Case(["textcolor", "red"], "textcolor", #"{"value":"red"}"#),
    Case(["random", "3"], "random", #"{"count":3}"#),
    Case(["random"], "random", "{}"),
    Case(["colors"], "colors", "{}"),
    Case(["paint", "red", "Sold out"], "paint", #"{"value":"red","text":"Sold out"}"#),
    Case(
      ["harmony", "red", "--kind", "triad"],
      "harmony",
      #"{"value":"red","kind":"triad"}"#
    ),
    Case(["distinct", "3", "--from", "P"], "distinct", #"{"count":3,"from":"P"}"#),
    Case(
      ["simulate", "P", "--deficiency", "tritan"],
      "simulate",
      #"{"subject":"P","deficiency":"tritan"}"#
    ),
    Case(["sort", "P", "--by", "hue"], "sort", #"{"palette":"P","by":"hue"}"#),
    Case(["backup", "b.db"], "backup", #"{"file":"/folder/b.db"}"#),
    Case(["backup", "/x/b.db"], "backup", #"{"file":"/x/b.db"}"#),
    Case(["recover", "b.db", "--yes"], "recover", #"{"file":"/folder/b.db"}"#),
    Case(["compact", "--yes"], "compact", "{}"),
    Case(["compact", "--before", "7d", "--yes"], "compact", #"{"before":"7d"}"#),
    Case(["doctor"], "doctor", "{}"),
    Case(["status"], "status", "{}"),
    Case(["config"], "config", #"{"action":"list"}"#),
    Case(["config", "get", "k"], "config", #"{"action":"get","key":"k"}"#),
    Case(["config", "set", "k", "v"], "config", #"{"action":"set","key":"k","value":"v"}"#),
    Case(["share"], "share", "{}"),
    Case(
      ["share", "P", "--role", "viewer", "--expires", "2h"],
      "share",
      #"{"palette":"P","role":"viewer","expires":"2h"}"#
    ),
    Case(["join", "hued1-x"], "join", #"{"code":"hued1-x"}"#),
    Case(["leave", "http://h:1"], "leave", #"{"peer":"http://h:1"}"#),
    Case(["leave", "http://h:1", "P"], "leave", #"{"peer":"http://h:1","palette":"P"}"#),
    Case(["open"], "open", "{}"),
    Case(["peers"], "peers", "{}"), Case(["tokens"], "tokens", "{}"),
    Case(["whoami"], "whoami", "{}"),
    Case(["token", "P"], "token", #"{"palette":"P"}"#),
    Case(["revoke", "1f2e"], "revoke", #"{"token":"1f2e"}"#),
    Case(["sync"], "sync", "{}"), Case(["sync", "--wait"], "sync", #"{"wait":true}"#),
    Case(["export", "P", "--format", "css"], "export", #"{"palette":"P","format":"css"}"#),
    Case(["link", "/a/p.gpl"], "link", #"{"file":"/a/p.gpl"}"#),
    Case(
      ["link", "/a/p.gpl", "P", "--format", "gpl"],
      "link",
      #"{"file":"/a/p.gpl","palette":"P","format":"gpl"}"#
    ), Case(["unlink", "/a/p.gpl"], "unlink", #"{"file":"/a/p.gpl"}"#),
    Case(["links"], "links", "{}"),
  ]

  @Test(arguments: cases)
  func passesArgumentsOn(_ given: Case) {
    let run = TestRun(#"{"bytes":""}"#)
    #expect(run.program.run(given.line) == .done, "\(run.console.notes)")
    #expect(run.api.requests.map(\.method) == [given.method])
    #expect(run.parameters == given.parameters)
  }

  @Test func everyCommandOfTheAPIHasACase() {
    let own: Set<Command> = [.completion, .edit, .man, .help, .import, .pick, .serve, .watch]
    let covered = Set(Self.cases.map(\.method))
    #expect(Set(CommandTable.commands).subtracting(own).map(\.name).allSatisfy(covered.contains))
  }

  @Test(arguments: [
    ["--home", "/h", "list", "P"], ["list", "--home=/h", "P"], ["list", "P", "--home", "/h"],
  ])
  func takesGlobalFlagsAnywhere(_ line: [String]) throws {
    guard case .run(let invocation) = try ArgumentParser.parse(line) else {
      Issue.record("not a command")
      return
    }
    #expect(invocation.options.home == "/h")
    #expect(invocation["palette"] == "P")
  }

  @Test func readsEveryGlobalFlag() throws {
    let line = [
      "--json", "--quiet", "--yes", "--color", "never", "--timeout", "1.5", "--home=/h", "status",
      "--json",
    ]
    guard case .run(let invocation) = try ArgumentParser.parse(line) else {
      Issue.record("not a command")
      return
    }
    let expected = GlobalOptions(
      home: "/h",
      json: true,
      color: .never,
      quiet: true,
      timeoutSeconds: 1.5,
      yes: true
    )
    #expect(invocation.options == expected)
  }
}
