import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteClient
@testable import PaletteCommands

struct PeerCommandsTests {
  /// A node whose peer has a long catch-up.
  private final class Node {
    var looks = 0
    /// The number of looks until the peer has what was made here.
    var looksUntilSent = 0

    func answer(_ request: Request) throws(APIError) -> [UInt8] {
      switch request.method {
      case "join": return Array(#"{"peer":"http://hub"}"#.utf8)
      case "leave": return Array(#"{"left":"http://hub"}"#.utf8)
      case "peers": looks += 1
      default: break
      }
      let peer =
        #"{"url":"http://hub","state":"live","role":"relay","palette":null,"pending":\#(max(0, looksUntilSent - looks)),"#
        + #""caughtUp":\#(looks > 5),"toCome":\#(max(0, 5 - looks)),"error":null}"#
      return Array(#"{"peers":[\#(peer)],"palettes":[{"id":"a","count":7}],"pending":0}"#.utf8)
    }
  }

  private static let code = JoinCode(
    addresses: ["http://hub"],
    secret: [UInt8](repeating: 1, count: 32),
    pin: [],
    grant: Grant(.relay),
    library: RecordID(high: 1, low: 1)
  ).text

  /// Patience is for peers that cannot be reached: what one has to send may take any time.
  @Test func aJoinWaitsAsLongAsThePeerSends() throws {
    let node = Node()
    var reported: [Progress] = []
    let commands = PeerCommands(
      ask: { request throws(APIError) in ReceivedAnswer(try node.answer(request)) },
      patienceMilliseconds: 15,
      progress: { reported.append($0) }
    )
    let request = Request(method: "join", parameters: ["code": JSON(Self.code)])
    let answer = try commands.join(request)
    #expect(answer["peer"].stringValue == "http://hub" && answer["colors"].intValue == 7)
    #expect(reported.last == Progress("Joining", .changes, done: 4, of: 4))
  }

  /// What was made here before it joined is to be safe there, too, when `join` has ended.
  @Test func aJoinWaitsUntilThePeerHoldsWhatWasMadeHere() throws {
    let node = Node()
    node.looksUntilSent = 9
    var reported: [Progress] = []
    let commands = PeerCommands(
      ask: { request throws(APIError) in ReceivedAnswer(try node.answer(request)) },
      patienceMilliseconds: 15,
      progress: { reported.append($0) }
    )
    _ = try commands.join(Request(method: "join", parameters: ["code": JSON(Self.code)]))
    #expect(node.looks == 9)
    #expect(reported.last == Progress("Sending", .changes, done: 1, of: 2))
  }

  /// The same of `sync`, which ended well in the middle of a long catch-up once.
  @Test func aSyncWaitsAsLongAsThePeerSends() throws {
    let node = Node()
    let commands = PeerCommands(
      ask: { request throws(APIError) in ReceivedAnswer(try node.answer(request)) },
      patienceMilliseconds: 15
    )
    _ = try commands.sync()
    #expect(node.looks == 6)
  }

  /// A peer that does not change between looks.
  private static func commands(_ peer: String) -> PeerCommands {
    var commands = PeerCommands(
      ask: { request throws(APIError) in
        switch request.method {
        case "leave": ReceivedAnswer(Array(#"{"left":"http://hub"}"#.utf8))
        case "peers": ReceivedAnswer(Array(#"{"peers":[\#(peer)]}"#.utf8))
        default: ReceivedAnswer(Array(#"{"pending":2}"#.utf8))
        }
      },
      patienceMilliseconds: 15
    )
    commands.givesUpEarly = true
    return commands
  }

  private static func peer(_ state: String, isUnreachable: Bool = false, error: String = "null")
    -> String
  {
    #"{"url":"http://hub","state":"\#(state)","role":"editor","palette":null,"pending":2,"#
      + #""caughtUp":true,"toCome":0,"unreachable":\#(isUnreachable),"error":\#(error)}"#
  }

  /// What a peer does not take is not said to be synced.
  @Test func aSyncSaysWhatWaitsAndWhy() throws {
    #expect(
      try Self.commands(Self.peer("live")).sync().waiting
        == "2 changes waiting: http://hub has not said that it holds them"
    )
    let error = #""over-quota: http://hub takes no more","code":"over-quota""#
    #expect(
      try Self.commands(Self.peer("live", error: error)).sync().waiting
        == "2 changes waiting: http://hub takes no more"
    )
  }

  @Test func whoLeavesAPeerKnowsWhetherItHeard() throws {
    let request = Request(method: "leave", parameters: ["peer": "hub"])
    for (state, untold) in [("live", nil), ("refused", nil), ("offline", "http://hub")] {
      let (answer, found) = try Self.commands(Self.peer(state, isUnreachable: true)).leave(request)
      #expect(answer["left"] == "http://hub" && found == untold, "\(state)")
    }
  }

  /// Of very many palettes an answer has a part.
  @Test func aJoinTellsOfAllPalettes() throws {
    let commands = PeerCommands(
      ask: { request throws(APIError) in
        let isFirst = request.parameters["after"].stringValue == nil
        let palettes =
          request.method != "palettes"
          ? "" : #""palettes":[{"id":"\#(isFirst ? "a" : "b")","count":7}],"more":\#(isFirst),"#
        let peer = #"{"url":"http://hub","state":"live","caughtUp":true,"pending":0}"#
        return ReceivedAnswer(Array(#"{\#(palettes)"peer":"http://hub","peers":[\#(peer)]}"#.utf8))
      },
      patienceMilliseconds: 15
    )
    let answer = try commands.join(Request(method: "join", parameters: ["code": JSON(Self.code)]))
    #expect(answer["palettes"].arrayValue?.count == 2 && answer["colors"].intValue == 14)
  }

  /// Another node at the address of a code does not become the one that made the code.
  @Test func aJoinGivesUpWhereAnotherKeyAnswers() {
    var methods: [String] = []
    let commands = PeerCommands(
      ask: { request throws(APIError) in
        methods.append(request.method)
        let peer =
          #"{"url":"http://hub","state":"connecting","unreachable":true,"#
          + #""code":"other-key","error":"other-key: the server's key is not the pinned one"}"#
        return ReceivedAnswer(Array(#"{"peer":"http://hub","peers":[\#(peer)]}"#.utf8))
      },
      patienceMilliseconds: 3_600_000,
      progress: { _ in }
    )
    let request = Request(method: "join", parameters: ["code": JSON(Self.code)])
    let error = #expect(throws: APIError.self) { try commands.join(request) }
    #expect(error?.code == "unreachable")
    #expect(error?.hint?.contains("see that the node runs there") == true)
    #expect(methods.last == "leave")
  }

  /// Whoever has joined stays so when the waiting ends; who has not been let in has not joined.
  @Test(arguments: [true, false])
  func aJoinThatIsInterruptedSaysWhatItIs(isLive: Bool) {
    var methods: [String] = []
    let commands = PeerCommands(
      ask: { request throws(APIError) in
        methods.append(request.method)
        let state = isLive ? "live" : "connecting"
        let peer = #"{"url":"http://hub","state":"\#(state)","caughtUp":false,"toCome":7}"#
        return ReceivedAnswer(Array(#"{"peer":"http://hub","peers":[\#(peer)]}"#.utf8))
      },
      patienceMilliseconds: 3_600_000,
      progress: { _ throws(APIError) in throw .interrupted }
    )
    let request = Request(method: "join", parameters: ["code": JSON(Self.code)])
    let error = #expect(throws: APIError.self) { try commands.join(request) }
    #expect(error?.code == "interrupted")
    #expect(
      error?.message.contains(isLive ? "7 changes are still to come" : "it is not joined") == true
    )
    #expect(methods.contains("leave") != isLive)
  }

  /// No waiting helps a library that cannot be written any more.
  @Test func waitsForNobodyWhereTheLibraryIsDamaged() {
    let commands = PeerCommands(
      ask: { request throws(APIError) in
        let peer = #"{"url":"http://hub","state":"offline","error":"storage: corrupt"}"#
        let rest = #""damage":"page 7 is malformed","pending":1,"received":0"#
        return ReceivedAnswer(Array(#"{"peer":"http://hub","peers":[\#(peer)],\#(rest)}"#.utf8))
      },
      patienceMilliseconds: 3_600_000
    )
    for method in ["join", "sync"] {
      let request = Request(method: method, parameters: ["code": JSON(Self.code)])
      let error = #expect(throws: APIError.self) {
        try method == "join" ? commands.join(request) : commands.sync().answer
      }
      #expect(error?.code == "corrupt")
      #expect(error?.message == "this library is damaged: page 7 is malformed")
    }
  }

  @Test(arguments: [
    (PeerError(code: "incompatible", "this node must upgrade"), "incompatible"),
    (PeerError(refusal: "incompatible"), "incompatible"),
    (PeerError(code: "revoked", "the access was taken back"), "not-allowed"),
    (PeerError(refusal: "used"), "not-allowed"),
  ])
  func aRefusalForTheVersionIsNoneOfRights(error: PeerError, code: String) throws {
    let commands = PeerCommands(
      ask: { request throws(APIError) in
        let peer =
          #"{"url":"http://hub","state":"refused","error":"\#(error.text)","#
          + #""code":"\#(error.code ?? "")"}"#
        let answer = #"{"peer":"http://hub","peers":[\#(peer)],"pending":1,"received":0}"#
        return ReceivedAnswer(Array(answer.utf8))
      },
      patienceMilliseconds: 15
    )
    let join = #expect(throws: APIError.self) {
      try commands.join(Request(method: "join", parameters: ["code": JSON(Self.code)]))
    }
    #expect(join?.code == code && join?.message == "http://hub refuses: \(error.reason)")
    #expect((join?.hint == nil) == (code == "incompatible"))
    let sync = #expect(throws: APIError.self) {
      try commands.sync()
    }
    #expect(sync?.code == code)
    // What is refused is never back by itself.
    #expect(
      sync?.hint
        == (code == "incompatible"
          ? "1 change waits here until both are of one version"
          : "1 change waits here; ask whoever runs it for a new code, then 'hued join CODE'")
    )
  }
}
