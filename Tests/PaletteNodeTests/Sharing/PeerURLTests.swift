import Testing

@testable import PaletteNode

struct PeerURLTests {
  @Test(
    arguments: [
      ("http://desk.lan:4833", false, "desk.lan", 4833),
      ("https://desk.lan", true, "desk.lan", 443),
      ("http://[::1]:80/", false, "::1", 80), ("https://[fe80::1]", true, "fe80::1", 443),
    ] as [(String, Bool, String, UInt16)]
  )
  func reads(_ text: String, _ isEncrypted: Bool, _ host: String, _ port: UInt16) throws {
    let url = try #require(PeerURL(text))
    #expect(url.isEncrypted == isEncrypted && url.host == host && url.port == port)
  }

  @Test(arguments: [
    "", "desk.lan", "ftp://a", "http://", "http://:80", "http://a:b", "http://a:1:2", "http://[]:8",
    "http://[::1]x80", "http://[::1", "https://a:65536",
  ])
  func refuses(_ text: String) { #expect(PeerURL(text) == nil) }
}
