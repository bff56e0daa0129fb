import Foundation
import Glibc
import PaletteTestSupport
import Testing

@testable import PaletteNode

struct OwnCertificateTests {
  @Test func isRenewedWhileTheNodeRuns() throws {
    let test = try TestLibrary()
    var settings = NodeSettings()
    settings.listen = try ListenAddress("0.0.0.0:0")
    settings.certificateInterval = .milliseconds(20)
    let location = LibraryLocation(home: test.home, configurationFile: test.home + "/config.json")
    let node = try Node(at: location, settings: settings)
    defer { node.stop() }
    let certificate = test.home + "/certificate.pem"
    let key = try Data(contentsOf: URL(fileURLWithPath: test.home + "/key.pem"))
    #expect(unlink(certificate) == 0)
    let end = ContinuousClock.now + .patiently(seconds: 10)
    while access(certificate, R_OK) != 0 {
      try #require(ContinuousClock.now < end)
      usleep(5_000)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: test.home + "/key.pem")) == key)
  }
}
