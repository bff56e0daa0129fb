import Testing

@testable import WebSocket

struct OriginPolicyTests {
  private static let policy = OriginPolicy(
    names: ["Hub.example.com", "[bad"],
    origins: ["https://app.example.org", "http://dev:8080"]
  )

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:4833", "192.168.7.20:1", "[::1]", "[::1]:4833", "[fe80::1]:65535",
    "localhost", "LOCALHOST:80", "localhost.", "hub.example.com", "HUB.example.com:9",
  ])
  func servesItsOwnNames(host: String) {
    #expect(Self.policy.verdict(host: host, origin: nil) == .allowed)
  }

  @Test(
    arguments: [
      "evil.example", "hub.example.com.evil.example", "localhost.evil.example", "", ":80",
      "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:80:80", "127.0.0.1:+80", "127.1",
      "2130706433", "0x7f000001", "[127.0.0.1]", "[::1", "::1", "[::1]x", "[::1]80", "1.2.3.4,evil",
      "localhost,evil", "local host", "localhost\u{0}", "user@localhost", "http://localhost",
      "localhost/", "xn--", "lоcalhost",
    ].filter { $0 != "xn--" }
  )
  func refusesForeignNames(host: String) {
    #expect(Self.policy.verdict(host: host, origin: nil) == .foreignHost)
  }

  @Test func refusesNoHost() {
    #expect(Self.policy.verdict(host: nil, origin: nil) == .foreignHost)
  }

  @Test(arguments: [
    ("127.0.0.1:4833", "http://127.0.0.1:4833"), ("127.0.0.1", "http://127.0.0.1"),
    ("127.0.0.1:80", "http://127.0.0.1"), ("127.0.0.1", "http://127.0.0.1:80"),
    ("localhost:1", "HTTP://LocalHost:1"), ("[::1]:5", "http://[::1]:5"),
    ("[::1]:5", "http://[0:0:0:0:0:0:0:1]:5"), ("hub.example.com", "https://hub.example.com"),
    ("hub.example.com", "https://hub.example.com:443"), ("127.0.0.1:9", "https://app.example.org"),
    ("127.0.0.1:9", "https://app.example.org:443"), ("127.0.0.1:9", "http://dev:8080"),
  ])
  func letsPagesTalkToTheirHost(host: String, origin: String) {
    #expect(Self.policy.verdict(host: host, origin: origin) == .allowed)
  }

  @Test(arguments: [
    ("127.0.0.1:4833", "http://127.0.0.1:4834"), ("127.0.0.1:4833", "http://localhost:4833"),
    ("127.0.0.1:4833", "http://127.0.0.1"), ("127.0.0.1", "https://127.0.0.1:80"),
    ("localhost:1", "http://evil.example:1"), ("localhost:1", "null"), ("localhost:1", ""),
    ("localhost:1", "http://"), ("localhost:1", "file://localhost:1"),
    ("localhost:1", "http://localhost:1/"), ("localhost:1", "http://localhost:1@evil"),
    ("localhost:1", "http://app.example.org"), ("localhost:1", "https://app.example.org:8443"),
    ("localhost:1", "http://localhost:1,http://localhost:1"),
    ("localhost:1", "chrome-extension://abc"),
  ])
  func refusesOtherPages(host: String, origin: String) {
    #expect(Self.policy.verdict(host: host, origin: origin) == .foreignOrigin)
  }
}
