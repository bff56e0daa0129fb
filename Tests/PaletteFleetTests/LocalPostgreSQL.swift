import Foundation
import PaletteFleet
import PaletteTestSupport
import Synchronization

/// A PostgreSQL of the tests' own, in a temporary folder, which ends with the process of the tests.
final class LocalPostgreSQL: Sendable {
  /// The one server of the suite.
  static let shared = Result { try LocalPostgreSQL() }

  /// The folder of the newest version's programs; nil where none is installed.
  static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap(Int.init).max().map { "\(root)/\($0)/bin" }
  }()

  /// Makes the server as somebody without privileges, which it demands; waits for the end of its input, which
  /// comes however this process ends, and stops it by its own number.
  private static let script = """
    folder=$1 programs=$2
    as=
    if [ "$(id -u)" = 0 ]; then
      as="setpriv --reuid=postgres --regid=postgres --init-groups"
      chown postgres "$folder"
    fi
    cd "$folder"
    $as "$programs/initdb" -D data -A trust -U hued -E UTF8 --no-locale --no-sync >log 2>&1
    printf '%s\\n' 'local all guarded scram-sha-256' 'local all all trust' >data/pg_hba.conf
    $as "$programs/postgres" -D data -k "$folder" -c listen_addresses= -c fsync=off >>log 2>&1 &
    server=$!
    cat >/dev/null
    kill -QUIT "$server"
    wait "$server"
    rm -rf "$folder"
    """

  private let folder: String
  private let process: Process
  private let input: Pipe
  private let count = Mutex(0)

  private init() throws {
    folder = "/tmp/hued-postgresql-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    input = Pipe()
    process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", folder, Self.programs ?? ""]
    process.standardInput = input
    try process.run()
    try waitUntilReady()
  }

  private func waitUntilReady() throws {
    let log = PostgreSQLLog(try PostgreSQLAddress(string(database: "postgres")))
    let deadline = ContinuousClock.now + .patiently(seconds: 30)
    while (try? log.connect()) == nil {
      guard ContinuousClock.now < deadline else { return try log.connect() }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// The connection string of a database.
  func string(database: String, user: String = "hued") -> String {
    "host=\(folder) user=\(user) dbname=\(database)"
  }

  /// The connection string of a new database.
  func newDatabase() throws -> String {
    let name = count.withLock { count in
      count += 1
      return "d\(count)"
    }
    try execute("CREATE DATABASE \(name)", in: "postgres")
    return string(database: name)
  }

  /// Executes SQL as the owner of the server.
  func execute(_ text: String, in database: String) throws {
    let psql = Process()
    psql.executableURL = URL(filePath: "\(Self.programs ?? "")/psql")
    psql.arguments = ["-qX", "-v", "ON_ERROR_STOP=1", "-d", string(database: database), "-c", text]
    psql.standardOutput = FileHandle.nullDevice
    try psql.run()
    psql.waitUntilExit()
    guard psql.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
