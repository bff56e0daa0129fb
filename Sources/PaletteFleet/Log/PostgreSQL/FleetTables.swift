/// The tables of a fleet, which the first that comes makes.
enum FleetTables {
  /// The version that this program makes and understands.
  static let version: Int64 = 1

  private static let oldestServer: Int32 = 130_000

  /// Sets up the session; waits for locks end before the own deadline, so that their outcome is known.
  private static let session = """
    SET statement_timeout = '2s'; SET lock_timeout = '1200ms';
    SET idle_in_transaction_session_timeout = '2s';
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
    """

  /// The time of a statement that may take long.
  static let longSeconds = 60.0

  /// Lets the next statements of a session take long.
  static func allowLong(_ connection: PostgreSQLConnection) throws(SharedLogError) {
    try connection.execute("SET statement_timeout = '\(Int(longSeconds))s'")
  }

  /// Ends what `allowLong` began.
  static func forbidLong(_ connection: PostgreSQLConnection) throws(SharedLogError) {
    try connection.execute("SET statement_timeout = '2s'")
  }

  /// Only the first of several that do it at once makes a table, and all go on.
  private static let tables = [
    """
    CREATE TABLE hub (id bigint PRIMARY KEY, name text NOT NULL, machine text NOT NULL,
      url text NOT NULL, beat bigint NOT NULL, seen timestamptz NOT NULL, dead boolean NOT NULL)
    """,
    """
    CREATE TABLE library (id uuid PRIMARY KEY, name text NOT NULL UNIQUE, schema int NOT NULL,
      owner bigint, epoch bigint NOT NULL, head bigint NOT NULL, hash bytea NOT NULL,
      image bigint NOT NULL, image_epoch bigint NOT NULL, image_parts int NOT NULL,
      image_hash bytea NOT NULL, bytes bigint NOT NULL, wanted bigint,
      created timestamptz NOT NULL)
    """,
    "CREATE INDEX library_owner ON library (owner)",
    """
    CREATE TABLE entry (library uuid NOT NULL, number bigint NOT NULL, epoch bigint NOT NULL,
      hash bytea NOT NULL, changes bytea, PRIMARY KEY (library, number))
    """,
    """
    CREATE TABLE image (library uuid NOT NULL REFERENCES library ON DELETE CASCADE,
      number bigint NOT NULL, epoch bigint NOT NULL, part int NOT NULL, bytes bytea NOT NULL,
      PRIMARY KEY (library, number, epoch, part))
    """,
    "CREATE TABLE fleet (version int PRIMARY KEY)",
    "INSERT INTO fleet VALUES (\(version)) ON CONFLICT DO NOTHING",
  ]

  private static let isMade = PostgreSQLStatement(
    name: "made",
    text: """
      SELECT count(*) FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name = 'fleet'
      """
  )
  private static let read = PostgreSQLStatement(
    name: "version",
    text: "SELECT max(version)::bigint FROM fleet"
  )

  /// Sets up a new connection, and makes the tables if there are none.
  static func prepare(_ connection: PostgreSQLConnection) throws(SharedLogError) {
    guard connection.serverVersion >= oldestServer else {
      throw SharedLogError(.notDone, .oldServer, "PostgreSQL 13 or newer is needed")
    }
    try connection.execute(session)
    var found = try version(at: connection)
    if found == nil {
      for table in tables { try make(table, at: connection) }
      found = try version(at: connection)
    }
    guard found == version else {
      throw SharedLogError(.notDone, .newerSchema, "a newer hued-fleet has made the tables")
    }
  }

  private static func version(
    at connection: PostgreSQLConnection
  ) throws(SharedLogError) -> Int64? {
    guard try connection.execute(isMade).first?.number(0) == 1 else { return nil }
    return try connection.execute(read).first?.number(0)
  }

  private static func make(
    _ table: String,
    at connection: PostgreSQLConnection
  ) throws(SharedLogError) {
    do throws(SharedLogError) {
      try connection.execute(table)
    } catch  where error.reason == .exists {
      return
    }
  }
}
