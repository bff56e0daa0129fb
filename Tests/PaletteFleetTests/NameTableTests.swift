import Testing

@testable import PaletteFleet

/// The names that a hub looks for, and for whom.
struct NameTableTests {
  private let library: SharedLibraryID
  private let owner = HubID(7)
  private var names = NameTable(isBehindProxy: false)

  init() throws {
    library = try #require(SharedLibraryID([UInt8](repeating: 1, count: 16)))
  }

  /// Returns whether a name is looked for now, whose library another hub has.
  private mutating func look(_ name: String, _ address: String, _ now: Double) -> Bool {
    guard names.look(name, for: address, at: now) else { return false }
    names.found(name, library, at: owner, now: now)
    return true
  }

  @Test mutating func anAddressHasOnlySoManyNamesLookedFor() {
    let looked = (0..<100).count { look("name\($0)", "10.0.0.1", 0) }
    #expect(looked == 20)
    #expect(look("other", "10.0.0.2", 0))
    #expect(look("later", "10.0.0.1", 1.5))
  }

  @Test mutating func manyMayBeBehindAProxyAndOnThisMachine() {
    #expect((0..<1_000).count { look("name\($0)", "127.0.0.1", 0) } == 320)
    names = NameTable(isBehindProxy: true)
    #expect((0..<1_000).count { look("name\($0)", "10.0.0.1", 0) } == 320)
  }

  @Test mutating func namesThatAreMadeUpKeepNobodyFromALibrary() {
    #expect(look("studio", "127.0.0.1", 0))
    names.found("studio", library, at: nil, now: 0)
    for number in 0..<1_000 where names.look("name\(number)", for: "127.0.0.1", at: 1) {
      names.foundNothing("name\(number)", at: 1)
    }
    #expect(!look("another", "127.0.0.1", 1))
    #expect(look("studio", "127.0.0.1", 1), "it was closed meanwhile")
  }

  @Test mutating func aLibraryThatIsWaitedForCostsOneLook() {
    #expect(look("studio", "10.0.0.1", 0))
    // Everybody asks again and again.
    #expect((1...100).count { look("studio", "10.0.0.1", Double($0) / 10) } == 10)
    #expect((1..<20).allSatisfy { look("name\($0)", "10.0.0.1", 0) }, "it has cost one look")
    #expect(!look("last", "10.0.0.1", 0))
  }

  @Test mutating func whoeverWaitsIsAskedForOnceTheHubIsGone() {
    #expect(look("studio", "10.0.0.1", 0))
    #expect(names.lookAgain(at: 1) { _ in false }.isEmpty)
    #expect(names.lookAgain(at: 2) { $0 == owner } == ["studio"])
    #expect(names.lookAgain(at: 2) { $0 == owner }.isEmpty, "it is being looked for")
    names.found("studio", library, at: nil, now: 2)
    #expect(names.lookAgain(at: 3) { $0 == owner }.isEmpty)
    #expect(look("studio", "10.0.0.1", 4))
    #expect(names.lookAgain(at: 60) { $0 == owner }.isEmpty, "nobody has asked for long")
  }
}
