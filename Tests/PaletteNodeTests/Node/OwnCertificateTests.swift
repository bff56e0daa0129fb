import Foundation
import PalettePlatform
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteCommands
@testable import PaletteNode

struct OwnCertificateTests {
  @Test func isRenewedWhileTheNodeRuns() throws {
    let library = try TemporaryLibrary()
    let home = library.folder.path
    var settings = NodeSettings()
    settings.listen = try ListenAddress("0.0.0.0:0")
    settings.certificateInterval = .milliseconds(20)
    let location = LibraryLocation(home: home, configurationFile: home + "/config.json")
    let node = try Node(at: location, settings: settings)
    defer { node.stop() }
    let certificate = home + "/certificate.pem"
    let key = try Data(contentsOf: URL(fileURLWithPath: home + "/key.pem"))
    #expect(unlink(certificate) == 0)
    let end = ContinuousClock.now + .patiently(seconds: 10)
    while access(certificate, R_OK) != 0 {
      try #require(ContinuousClock.now < end)
      usleep(5_000)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: home + "/key.pem")) == key)
  }
}
