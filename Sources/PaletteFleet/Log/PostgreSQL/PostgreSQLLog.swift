internal import PalettePlatform
import Synchronization

/// A shared log in PostgreSQL, over one connection.
package final class PostgreSQLLog: SharedLog {
  private struct Storage: ~Copyable {
    var connection: PostgreSQLConnection?
    var reconnecting = Reconnecting()
    var failure = SharedLogError(.notDone, .away, "the database is not connected")
  }

  /// The number of times that a statement is executed which meets other transactions.
  private static let attempts = 3
  /// The microseconds between them.
  private static let conflictPause: ClosedRange<UInt32> = 5_000...50_000

  private let address: PostgreSQLAddress
  private let storage = Mutex(Storage())

  /// Names a database; nothing connects before `connect`.
  package init(_ address: PostgreSQLAddress) {
    self.address = address
  }

  package func connect() throws(SharedLogError) {
    let isNeeded = try storage.withLock { (storage) throws(SharedLogError) in
      // One that was lost while nobody used it is made anew before somebody does.
      storage.connection?.readNews()
      guard storage.connection?.isBroken ?? true else { return false }
      storage.connection = nil
      guard storage.reconnecting.mayConnect(at: Platform.uptime) else { throw storage.failure }
      return true
    }
    guard isNeeded else { return }
    // Not under the lock, so that a loop which asks meanwhile fails at once.
    do throws(SharedLogError) {
      let connection = try PostgreSQLConnection(to: address)
      try FleetTables.prepare(connection)
      storage.withLock { storage in
        storage.connection = connection
        storage.reconnecting.connected()
      }
    } catch {
      storage.withLock { storage in
        var generator = SystemRandomNumberGenerator()
        storage.reconnecting.failed(at: Platform.uptime, using: &generator)
        storage.failure = error
      }
      throw SharedLogError(.notDone, error.reason, error.message)
    }
  }

  /// Executes a statement once.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - values: Its parameters.
  ///   - seconds: The time that it has, when that is not the usual one.
  /// - Returns: The rows.
  /// - Throws: What became of it.
  func rows(
    _ statement: PostgreSQLStatement,
    _ values: PostgreSQLValue...,
    seconds: Double = 1.5
  ) throws(SharedLogError) -> [PostgreSQLRow] {
    try storage.withLock { (storage) throws(SharedLogError) in
      guard let connection = storage.connection else { throw storage.failure }
      defer { if connection.isBroken { storage.connection = nil } }
      do throws(SharedLogError) {
        return try Self.repeating { () throws(SharedLogError) in
          try connection.execute(statement, values, seconds: seconds)
        }
      } catch {
        if connection.isBroken {
          storage.failure = SharedLogError(.notDone, error.reason, error.message)
        }
        throw error
      }
    }
  }

  /// Executes a statement that may take long, for a program that has nothing else to do.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - values: Its parameters.
  /// - Returns: The rows.
  /// - Throws: What became of it.
  func rows(
    patiently statement: PostgreSQLStatement,
    _ values: PostgreSQLValue...
  ) throws(SharedLogError) -> [PostgreSQLRow] {
    try storage.withLock { (storage) throws(SharedLogError) in
      guard let connection = storage.connection else { throw storage.failure }
      defer { if connection.isBroken { storage.connection = nil } }
      try FleetTables.allowLong(connection)
      let rows = try connection.execute(statement, values, seconds: FleetTables.longSeconds)
      try FleetTables.forbidLong(connection)
      return rows
    }
  }

  /// Executes a statement that adds to the log; a full disk is not asked again for a while.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - values: Its parameters.
  /// - Throws: What became of it; with the outcome `fenced` when it returned no row.
  func add(
    _ statement: PostgreSQLStatement,
    _ values: PostgreSQLValue...
  ) throws(SharedLogError) {
    let rows = try storage.withLock { (storage) throws(SharedLogError) in
      guard let connection = storage.connection else { throw storage.failure }
      guard storage.reconnecting.mayWrite(at: Platform.uptime) else {
        throw SharedLogError(.notDone, .full, "the disk of the database is full")
      }
      defer { if connection.isBroken { storage.connection = nil } }
      do throws(SharedLogError) {
        let rows = try Self.repeating { () throws(SharedLogError) in
          try connection.execute(statement, values)
        }
        storage.reconnecting.wrote()
        return rows
      } catch {
        if error.reason == .full { storage.reconnecting.wasFull(at: Platform.uptime) }
        if connection.isBroken {
          storage.failure = SharedLogError(.notDone, error.reason, error.message)
        }
        throw error
      }
    }
    guard !rows.isEmpty else { throw .fenced }
  }

  /// Executes a statement again where it met another transaction, and has nothing to show for it.
  private static func repeating(
    _ statement: () throws(SharedLogError) -> [PostgreSQLRow]
  ) throws(SharedLogError) -> [PostgreSQLRow] {
    for _ in 1..<attempts {
      do throws(SharedLogError) {
        return try statement()
      } catch  where error.reason == .conflict {
        usleep(.random(in: conflictPause))
      }
    }
    return try statement()
  }
}
