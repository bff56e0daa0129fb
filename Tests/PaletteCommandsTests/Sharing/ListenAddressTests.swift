import Testing

@testable import PaletteCommands

struct ListenAddressTests {
  @Test(
    arguments: [
      ("4000", "127.0.0.1", 4000, true), ("127.0.0.1:0", "127.0.0.1", 0, true),
      ("localhost:1", "localhost", 1, true), ("[::1]:80", "::1", 80, true),
      ("::1", "::1", 4833, true),
      ("127.9.9.9", "127.9.9.9", 4833, true), ("0.0.0.0:5", "0.0.0.0", 5, false),
      ("[::]:5", "::", 5, false), ("example.com", "example.com", 4833, false),
      ("10.0.0.1:65535", "10.0.0.1", 65535, false),
    ] as [(String, String, UInt16, Bool)]
  )
  func reads(_ text: String, _ host: String, _ port: UInt16, _ isLoopback: Bool) throws {
    let address = try ListenAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", ":80", "host:", "host:port", "1.2.3.4:65536", "[::1]80", "99999", "[]:1", "a:b:c",
    "http://[::1]:80", "http://desk:80/", "[a:b]:1", "[[]:248", "[a]:1",
  ])
  func refuses(_ text: String) {
    #expect(throws: APIError.self) { try ListenAddress(text) }
  }

  @Test func writesURLs() throws {
    #expect(try ListenAddress("[::1]:0").authority(port: 9) == "[::1]:9")
    #expect(try ListenAddress("0.0.0.0").reachableAuthority(port: 9) == "127.0.0.1:9")
    #expect(try ListenAddress("[::]:1").reachableAuthority(port: 9) == "[::1]:9")
  }
}
