import Testing

@testable import PaletteNode

/// The address that the proof of a node behind a proxy covers.
struct DialedEndpointTests {
  @Test(arguments: [
    ("http://127.0.0.1:8080", "127.0.0.1:8080"), ("http://localhost:8080/", "127.0.0.1:8080"),
    ("http://[::1]:8080", "[::1]:8080"), ("http://127.0.0.1", "127.0.0.1:80"),
  ])
  func isThatOfAPlainPublicURLOnThisMachine(url: String, endpoint: String) {
    var settings = NodeSettings()
    settings.publicURL = url
    #expect(settings.dialedEndpoint == endpoint)
  }

  @Test(arguments: [nil, "https://127.0.0.1:8080", "http://palettes.example.com:8080"])
  func elseItIsTheNodesOwn(url: String?) {
    var settings = NodeSettings()
    settings.publicURL = url
    #expect(settings.dialedEndpoint == nil)
  }
}
