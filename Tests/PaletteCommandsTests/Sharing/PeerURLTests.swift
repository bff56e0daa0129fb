import PaletteMerge
import PaletteModel
import Testing

@testable import PaletteCommands

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

  @Test(
    arguments: [
      ("http://127.0.0.1:4833", false), ("http://127.1.2.3", false), ("http://[::1]:1", false),
      ("http://localhost", false), ("http://LOCALHOST:8", false), ("https://desk.lan", false),
      ("https://10.0.0.1", false), ("http://desk.lan", true), ("http://10.0.0.1:4833", true),
      ("http://128.0.0.1", true), ("http://[fe80::1]", true), ("http://[::]", true),
      ("http://127.0.0.1.example", true), ("http://localhost.example", true),
      ("http://127.1", true),
    ] as [(String, Bool)]
  )
  func knowsWhatOthersCanRead(_ text: String, _ isPlain: Bool) throws {
    #expect(try #require(PeerURL(text)).isPlainBeyondLoopback == isPlain)
  }

  @Test func refusesCodesThatOnlyLeadToPlainAddresses() throws {
    func code(_ addresses: String...) -> JoinCode {
      JoinCode(
        addresses: addresses,
        secret: [UInt8](repeating: 1, count: 32),
        pin: [],
        grant: Grant(.relay),
        library: RecordID(high: 1, low: 1)
      )
    }
    for bad in [code("http://10.0.0.1:4833"), code("http://a", "ftp://b")] {
      #expect(try #require(throws: APIError.self) { try bad.checkAddresses() }.code == "bad-value")
    }
    for good in [code("http://10.0.0.1", "https://10.0.0.1"), code("http://127.0.0.1:1")] {
      try good.checkAddresses()
    }
  }

  @Test(arguments: [
    "", "desk.lan", "ftp://a", "http://", "http://:80", "http://a:b", "http://a:1:2", "http://[]:8",
    "http://[[]:248", "http://[a]",
    "http://[::1]x80", "http://[::1", "https://a:65536",
  ])
  func refuses(_ text: String) { #expect(PeerURL(text) == nil) }
}
