import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteCommands
@testable import PaletteNode

struct PlainPeerTests {
  @Test func aPeerThatWasJoinedInClearIsNotDialed() throws {
    let library = try TemporaryLibrary()
    let home = library.folder.path
    do {
      let store = try ChangeStore(writing: library.folder)
      // Nobody has this address: it is one of documentation.
      try store.peers.save(
        StoredPeer(
          url: "http://192.0.2.1:4833",
          addresses: ["http://192.0.2.1:4833"],
          secret: [UInt8](repeating: 7, count: 32),
          grants: [Grant(.relay)]
        )
      )
    }
    var settings = NodeSettings()
    settings.isServing = false
    let location = LibraryLocation(home: home, configurationFile: home + "/config.json")
    let node = try Node(at: location, settings: settings)
    defer { node.stop() }
    let end = ContinuousClock.now + .patiently(seconds: 10)
    while true {
      let answer = try node.call(Request(method: "peers", parameters: [:])).json
      let peer = answer["peers"]?[0]
      if peer?["error"]?.stringValue == "'http://192.0.2.1:4833' is not encrypted" { break }
      try #require(ContinuousClock.now < end, "\(String(describing: peer))")
    }
  }
}
