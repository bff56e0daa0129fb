import Foundation
import PaletteTestSupport
import Testing

@testable import hued

@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct PublicURLTests {
  @Test func aNameForTheNodesOwnCertificateCanBeJoined() throws {
    let folder = try TemporaryFolder()
    let home = folder.file("hub")
    let first = try RunningNode(home: home, ["--listen", "0.0.0.0:0"])
    #expect(first.end().status == 0)
    let url = "https://localhost:\(first.port)"
    let hub = try RunningNode(
      home: home,
      ["--listen", "0.0.0.0:\(first.port)", "--public-url", url]
    )
    #expect(hub.link.hasPrefix(url + "/#"))
    #expect(try hub.hued("new", "Sea").status == 0)
    let code = try hub.hued("share").output.trimmingCharacters(in: .newlines)

    let joined = try Shell.run(
      Shell.hued,
      ["join", code, "--timeout", "20"],
      home: folder.file("member")
    )

    #expect(joined.status == 0, "\(joined.error)")
    #expect(joined.output.hasPrefix(url))
    let listed = try Shell.run(Shell.hued, ["list", "Sea"], home: folder.file("member"))
    #expect(listed.status == 0, "\(listed.error)")
  }
}
