import PaletteFleet
import PaletteStore
import Testing

struct MemoryLogTests {
  private let database = MemoryDatabase()

  @Test(arguments: SharedLogContract.all)
  func keepsTheContract(_ contract: SharedLogContract) throws {
    try contract.check(MemoryLog(database), MemoryLog(database))
  }

  @Test func faultsHaveTheEffectsOfTheirNames() throws {
    let log = MemoryLog(database)
    let claim = try claim("studio", for: HubID(1), at: log)
    log.fail(.refused(.full), .lost, .unheard)
    #expect(outcome { _ = try append("a", to: log, claim) } == .notDone)
    #expect(outcome { _ = try append("a", to: log, claim) } == .unknown)
    #expect(try MemoryLog(database).tail(of: claim.library, after: 0) == [])
    #expect(outcome { _ = try append("a", to: log, claim) } == .unknown)
    #expect(try log.tail(of: claim.library, after: 0).map(\.position.number) == [1])
  }

  @Test func aStatementOnItsWayIsFencedByTheEndOfTheDoubt() throws {
    let log = MemoryLog(database)
    let claim = try claim("studio", for: HubID(1), at: log)
    log.fail(.late)
    #expect(outcome { _ = try append("a", to: log, claim) } == .unknown)
    let state = try #require(try log.endDoubt(claim))
    #expect(state.head == 0)
    database.deliverLate()
    #expect(try log.look("studio")?.state.head == 0)
  }

  @Test func aLostTailAndADatabaseAwayAreSeenByAll() throws {
    let log = MemoryLog(database)
    let claim = try claim("studio", for: HubID(1), at: log)
    let backup = database.backup
    let first = try append("a", to: log, claim)
    database.loseTail(after: backup)
    #expect(outcome { _ = try append("b", after: first, to: log, claim) } == .fenced)
    database.isAway = true
    #expect(throws: SharedLogError.self) { try log.connect() }
    #expect(outcome { _ = try log.look("studio") } == .notDone)
    database.isAway = false
    try log.connect()
  }
}
