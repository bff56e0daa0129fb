import Synchronization

/// A database in memory, to which any number of logs connect: for tests, and for the simulation.
///
/// Everything that goes wrong with it is switched on, so the same calls always have the same effect.
package final class MemoryDatabase: Sendable {
  /// Everything that the database held at some time.
  package struct Backup: Sendable {
    fileprivate let tables: MemoryTables
  }

  private struct Storage {
    var tables = MemoryTables()
    var late: [@Sendable (inout MemoryTables) -> Void] = []
    var isAway = false
  }

  private let storage = Mutex(Storage())

  /// Makes an empty one.
  package init() {}

  /// True while nobody reaches the database.
  package var isAway: Bool {
    get { storage.withLock { $0.isAway } }
    set { storage.withLock { $0.isAway = newValue } }
  }

  /// Everything that the database holds now.
  package var backup: Backup { storage.withLock { Backup(tables: $0.tables) } }

  /// Loses all that came after a backup, as the promotion of an asynchronous standby does.
  package func loseTail(after backup: Backup) {
    storage.withLock { $0.tables = backup.tables }
  }

  /// Executes the statements that were still on their way.
  package func deliverLate() {
    storage.withLock { storage in
      for statement in storage.late { statement(&storage.tables) }
      storage.late = []
    }
  }

  /// Executes a statement; nil while nobody reaches the database.
  func execute<Result: Sendable>(
    _ statement: @Sendable (inout MemoryTables) -> Result
  ) -> Result? {
    storage.withLock { $0.isAway ? nil : statement(&$0.tables) }
  }

  /// Keeps a statement on its way.
  func keep(_ statement: @escaping @Sendable (inout MemoryTables) -> Void) {
    storage.withLock { $0.late.append(statement) }
  }
}
