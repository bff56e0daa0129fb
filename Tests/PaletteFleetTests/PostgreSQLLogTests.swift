import PaletteFleet
import Testing

@Suite(.enabled(if: LocalPostgreSQL.programs != nil))
struct PostgreSQLLogTests {
  private let server: LocalPostgreSQL

  init() throws {
    server = try LocalPostgreSQL.shared.get()
  }

  private func log(_ string: String) throws -> PostgreSQLLog {
    let log = PostgreSQLLog(try PostgreSQLAddress(string))
    try log.connect()
    return log
  }

  private func failure(_ string: String) throws -> SharedLogError? {
    do throws(SharedLogError) {
      try PostgreSQLLog(try PostgreSQLAddress(string)).connect()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: SharedLogContract.all)
  func keepsTheContract(_ contract: SharedLogContract) throws {
    let string = try server.newDatabase()
    try contract.check(try log(string), try log(string))
  }

  @Test func anyNumberMakeTheTablesAtOnce() async throws {
    let string = try server.newDatabase()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...6 {
        group.addTask { try log(string).register(hub(Int64(number))) }
      }
      try await group.waitForAll()
    }
    #expect(try log(string).hubs().count == 6)
  }

  /// Has the server end the connections of logs, and waits so long until they have ended.
  private func endConnections(to string: String, waitingMilliseconds time: Int) throws {
    try server.execute(
      "SELECT pg_terminate_backend(pid, \(time)) FROM pg_stat_activity"
        + " WHERE application_name = 'hued-fleet' AND datname = current_database()",
      in: String(string.split(separator: "=").last ?? "")
    )
  }

  @Test func aLostConnectionIsDefiniteAndMadeAnew() throws {
    let string = try server.newDatabase()
    let log = try log(string)
    let claim = try claim("studio", for: HubID(1), at: log)
    try endConnections(to: string, waitingMilliseconds: 0)
    // It may learn of its end before the statement is sent, or by it.
    #expect(outcome { _ = try append("a", to: log, claim) } != .fenced)
    #expect(outcome { _ = try append("a", to: log, claim) } == .notDone)
    try log.connect()
    _ = try append("a", to: log, claim)
  }

  @Test func aConnectionThatWasLostUnusedIsMadeAnewBeforeItIsUsed() throws {
    let string = try server.newDatabase()
    let log = try log(string)
    let claim = try claim("studio", for: HubID(1), at: log)
    try endConnections(to: string, waitingMilliseconds: 5_000)
    try log.connect()
    _ = try append("a", to: log, claim)
  }

  @Test func anAppendThatIsUnderWayLeavesNothingOfADroppedLibrary() async throws {
    let string = try server.newDatabase()
    let database = String(string.split(separator: "=").last ?? "")
    let (log, other) = (try log(string), try log(string))
    let claim = try claim("studio", for: HubID(1), at: log)
    // The append waits until the drop waits for it.
    try server.execute(
      """
      CREATE FUNCTION await(what text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
        FOR i IN 1..6000 LOOP
          PERFORM pg_stat_clear_snapshot();
          IF EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
            AND pid <> pg_backend_pid() AND what IN (wait_event, wait_event_type)) THEN RETURN; END IF;
          PERFORM pg_sleep(0.01);
        END LOOP;
        RAISE 'nobody waits for %', what;
      END $$;
      CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM await('Lock'); RETURN NEW; END $$;
      CREATE TRIGGER linger BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION linger()
      """,
      in: database
    )
    async let appended = Task.detached { try append("a", to: log, claim) }.value
    try server.execute("SELECT await('PgSleep')", in: database)
    #expect(try other.drop(claim.library))
    _ = try await appended
    #expect(try other.tail(of: claim.library, after: 0) == [])
  }

  @Test func aDatabaseThatTakesNoWritesIsNotConnected() throws {
    let string = try server.newDatabase()
    let log = try log(string)
    let claim = try claim("studio", for: HubID(1), at: log)
    let database = String(string.split(separator: "=").last ?? "")
    try server.execute(
      "ALTER DATABASE \(database) SET default_transaction_read_only = on",
      in: database
    )
    #expect(try failure(string)?.outcome == .notDone)
    _ = try append("a", to: log, claim)
  }

  @Test func whatKeepsFromConnectingIsTold() throws {
    let string = try server.newDatabase()
    _ = try log(string)
    #expect(try failure(server.string(database: "none"))?.reason == .noDatabase)
    #expect(try failure("host=/nowhere")?.reason == .away)
    let database = String(string.split(separator: "=").last ?? "")
    try server.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'", in: database)
    let guarded = server.string(database: database, user: "guarded")
    #expect(try failure(guarded + " password=wrong")?.reason == .forbidden)
    #expect(try failure(guarded + " password=right")?.reason == .forbidden)
    try server.execute("UPDATE fleet SET version = 99", in: database)
    #expect(try failure(string)?.reason == .newerSchema)
  }

  @Test func severalHostsAreTriedInTurn() throws {
    let string = try server.newDatabase()
    let several = string.replacing("host=", with: "host=/nowhere,")
    try log(several).register(hub(1))
  }

  /// The server has conflicts of its own at higher levels of isolation only, so here a trigger makes them.
  @Test(arguments: [2, 3])
  func aConflictIsTriedAgainAFewTimes(_ conflicts: Int) throws {
    let string = try server.newDatabase()
    let log = try log(string)
    let claim = try claim("studio", for: HubID(1), at: log)
    try server.execute(
      """
      CREATE SEQUENCE tries;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') <= \(conflicts) THEN RAISE serialization_failure; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION refuse()
      """,
      in: String(string.split(separator: "=").last ?? "")
    )
    let first = outcome { _ = try append("a", to: log, claim) }
    #expect(first == (conflicts < 3 ? nil : .notDone))
    #expect(try log.tail(of: claim.library, after: 0).count == (conflicts < 3 ? 1 : 0))
  }

  @Test func noPasswordIsShown() throws {
    let address = try PostgreSQLAddress("postgresql://u:secret@db.example/fleet?sslpassword=hidden")
    var shown = "\(address)"
    dump(address, to: &shown)
    #expect(shown.contains("db.example") && shown.contains("fleet"))
    #expect(!shown.contains("secret") && !shown.contains("hidden"))
    let broken = try failureOfReading("postgresql://u:secret@db.example:x y/z?nonsense=secret")
    #expect(broken?.reason == .badAddress && broken?.message.contains("secret") == false)
  }

  private func failureOfReading(_ string: String) throws -> SharedLogError? {
    do throws(SharedLogError) {
      _ = try PostgreSQLAddress(string)
      return nil
    } catch {
      return error
    }
  }
}
