import Testing

@testable import PaletteNode

struct PeerCommandsTests {
  /// A node whose peer has a long catch-up.
  private final class Node {
    var looks = 0

    func answer(_ request: Request) throws(APIError) -> [UInt8] {
      switch request.method {
      case "join": return Array(#"{"peer":"http://hub"}"#.utf8)
      case "leave": return Array(#"{"left":"http://hub"}"#.utf8)
      case "peers": looks += 1
      default: break
      }
      let peer =
        #"{"url":"http://hub","state":"live","role":"relay","palette":null,"pending":0,"#
        + #""caughtUp":\#(looks > 5),"toCome":\#(max(0, 5 - looks)),"error":null}"#
      return Array(#"{"peers":[\#(peer)],"palettes":[{"id":"a","count":7}],"pending":0}"#.utf8)
    }
  }

  /// Patience is for peers that cannot be reached: what one has to send may take any time.
  @Test func aJoinWaitsAsLongAsThePeerSends() throws {
    let node = Node()
    var reported: [SyncProgress] = []
    let commands = PeerCommands(
      ask: { request throws(APIError) in try node.answer(request) },
      patienceMilliseconds: 15,
      progress: { reported.append($0) }
    )
    let request = Request(method: "join", parameters: ["code": "x"])
    let answer = try Document(parsing: try commands.join(request))
    #expect(answer["peer"].string == "http://hub" && answer["colors"].integer == 7)
    #expect(reported.last?.done == 3)
  }
}
