import Foundation
import PaletteCommands
import PaletteFleet
import PaletteJSON
import PaletteMerge
import PaletteStore
import PaletteTestSupport
import Testing

/// The operations on the libraries of a fleet.
struct FleetOperatorTests {
  private let database = MemoryDatabase()
  private var log: MemoryLog { MemoryLog(database) }

  private func fleet() throws -> FleetOperator {
    try FleetOperator(on: "here") { [database] in MemoryLog(database) }
  }

  /// Registers a hub, which beats no more.
  private func hub(_ number: Int64 = 1) throws -> HubID {
    let log = log
    try log.connect()
    let id = HubID(number)
    try log.register(LogHub(id: id, name: "one", machine: "here", url: "https://colors.example"))
    return id
  }

  /// Makes the library "studio", which a hub owns.
  private func ownedLibrary() throws -> LogClaim {
    let id = try hub()
    _ = try fleet().makeLibrary(named: "studio")
    let row = try #require(try log.look("studio"))
    let state = try #require(
      try log.take(row, because: .free, for: id, schema: ChangeStore.formatVersion)
    )
    return LogClaim(row.id, hub: id, epoch: state.epoch)
  }

  @Test func aLibraryHasNoCodeWhileNoHubLives() throws {
    let made = try fleet().makeLibrary(named: "studio")
    #expect(made.code == nil)
    #expect(try fleet().share("studio", [:]) == made)
    let error = #expect(throws: APIError.self) { try fleet().makeLibrary(named: "studio") }
    #expect(error?.code == "exists")
  }

  @Test func aCodeLeadsToTheLibraryBeneathTheAddressOfTheFleet() throws {
    _ = try hub()
    let codes = [
      try fleet().makeLibrary(named: "studio").code,
      try fleet().share("studio", ["role": "viewer", "name": "Ann"]).code,
    ]
    let roles: [Role] = [.owner, .viewer]
    for (code, role) in zip(codes, roles) {
      let code = try JoinCode(try #require(code))
      #expect(code.addresses == ["https://colors.example/l/studio"])
      #expect(code.grant.role == role)
    }
    let state = try #require(try log.look("studio")?.state)
    #expect(state.head > 1, "the second code is an entry")
    #expect(try log.look("studio")?.owner == nil, "the command has let go of it")
    #expect(try fleet().hubs().map(\.name) == ["one"], "a command is no hub")
  }

  @Test func aCommandWaitsUntilTheOwnerLetsGo() throws {
    let claim = try ownedLibrary()
    let owner = Thread { [database] in
      let log = MemoryLog(database)
      try? log.connect()
      while (try? log.look("studio"))??.wanted == nil { usleep(10_000) }
      _ = try? log.letGo(claim)
    }
    owner.start()
    #expect(try fleet().share("studio", [:]).code != nil)
  }

  @Test func whoeverWaitsLongForAnOwnerHearsOfIt() throws {
    let claim = try ownedLibrary()
    var waited: [String] = []
    let fleet = try FleetOperator(
      on: "here",
      log: { [database] in MemoryLog(database) },
      onWait: {
        waited.append($0)
        _ = try? log.letGo(claim)
      }
    )
    #expect(try fleet.share("studio", [:]).code != nil)
    #expect(waited == ["studio"])
  }

  @Test func aLibraryOfANewerFormatIsRefusedAtOnce() throws {
    _ = try hub()
    let home = try TemporaryLibrary()
    let store = try ChangeStore(writing: home.folder)
    let image = home.folder.file("image")
    let newer = ChangeStore.formatVersion + 1
    try FleetFixture.publish(store, as: "newer", to: log, image: image, schema: newer)
    let error = #expect(throws: SharedLogError.self) { try fleet().share("newer", [:]) }
    #expect(error?.reason == .newerSchema)
  }

  @Test func aDroppedLibraryIsGone() throws {
    let made = try fleet().makeLibrary(named: "studio")
    #expect(try fleet().drop("studio") == made.id)
    #expect(try fleet().libraries().isEmpty)
    let error = #expect(throws: APIError.self) { try fleet().drop("studio") }
    #expect(error?.code == "not-found")
  }
}
