package import PaletteStore
import Synchronization

/// The fate of a call to a log in memory.
package enum MemoryFault: Hashable, Sendable {
  /// It goes well.
  case none
  /// The server does nothing and says why.
  case refused(SharedLogError.Reason)
  /// The connection breaks before the statement is executed.
  case lost
  /// The statement is executed, and then the connection breaks.
  case unheard
  /// The connection breaks, and the statement is executed when the database delivers what is late.
  case late
}

/// A shared log in memory.
package final class MemoryLog: SharedLog {
  private let database: MemoryDatabase
  private let faults = Mutex<[MemoryFault]>([])

  /// Connects to a database.
  package init(_ database: MemoryDatabase) {
    self.database = database
  }

  /// Decides the fates of the next calls, in their order.
  package func fail(_ faults: MemoryFault...) {
    self.faults.withLock { $0 += faults }
  }

  package func connect() throws(SharedLogError) {
    if database.isAway { throw SharedLogError(.notDone, .away, "the database is away") }
  }

  package func register(_ hub: LogHub) throws(SharedLogError) {
    try run { $0.register(hub) }
  }

  package func beat(_ hub: HubID) throws(SharedLogError) -> BeatAnswer? {
    try run { $0.beat(hub) }
  }

  package func bury(_ hub: HubID) throws(SharedLogError) {
    try run { $0.bury(hub) }
  }

  package func bury(_ hub: HubID, at beat: Int64) throws(SharedLogError) {
    try run { tables in
      if tables.hubs[hub]?.beat == beat { tables.bury(hub) }
    }
  }

  package func hubs() throws(SharedLogError) -> [LogHub] {
    try run { tables in
      tables.hubs.values.filter { !$0.isDead }.sorted { $0.id.number < $1.id.number }.map { hub in
        var hub = hub
        hub.libraries = tables.libraries.values.count { $0.owner == hub.id }
        return hub
      }
    }
  }

  package func forgetDead() throws(SharedLogError) {
    try run { $0.forgetDead() }
  }

  package func create(
    _ id: SharedLibraryID,
    named name: String,
    schema: Int
  ) throws(SharedLogError) -> Bool {
    try run { $0.create(id, named: name, schema: schema) }
  }

  package func look(_ name: String) throws(SharedLogError) -> SharedLibrary? {
    try list().first { $0.name == name }
  }

  package func list() throws(SharedLogError) -> [SharedLibrary] {
    try run { tables in
      tables.libraries.keys.compactMap(tables.library).sorted { $0.name < $1.name }
    }
  }

  package func drop(_ library: SharedLibraryID) throws(SharedLogError) -> Bool {
    try run { $0.drop(library) }
  }

  package func want(_ library: SharedLibrary, for hub: HubID) throws(SharedLogError) -> Bool {
    try run { $0.want(library, for: hub) }
  }

  package func take(
    _ library: SharedLibrary,
    because reason: LogTaking,
    for hub: HubID,
    schema: Int
  ) throws(SharedLogError) -> LogState? {
    try run { $0.take(library, because: reason, for: hub, schema: schema) }
  }

  package func letGo(_ claim: LogClaim) throws(SharedLogError) -> Bool {
    try run { $0.letGo(claim) }
  }

  package func endDoubt(_ claim: LogClaim) throws(SharedLogError) -> LogState? {
    try run { $0.endDoubt(claim) }
  }

  package func append(
    _ entry: LogEntry,
    after hash: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError) {
    guard try run({ $0.append(entry, after: hash, as: claim) }) else { throw .fenced }
  }

  package func tail(
    of library: SharedLibraryID,
    after number: Int64
  ) throws(SharedLogError) -> [LogEntry] {
    try run { $0.tail(of: library, after: number) }
  }

  package func growth(of library: SharedLibraryID) throws(SharedLogError) -> LogGrowth {
    try run { $0.growth(of: library) }
  }

  package func addPart(
    _ part: Int,
    of number: Int64,
    _ bytes: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError) {
    guard try run({ $0.addPart(part, of: number, bytes, as: claim) }) else { throw .fenced }
  }

  package func switchImage(
    to image: LogImage,
    as claim: LogClaim
  ) throws(SharedLogError) -> Bool {
    try run { $0.switchImage(to: image, as: claim) }
  }

  package func jump(
    _ entry: LogEntry,
    to image: LogImage,
    schema: Int,
    after hash: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError) {
    let isDone = try run { tables in
      tables.jump(entry, to: image, schema: schema, after: hash, as: claim)
    }
    guard isDone else { throw .fenced }
  }

  package func part(
    _ part: Int,
    of image: LogImage,
    in library: SharedLibraryID
  ) throws(SharedLogError) -> [UInt8]? {
    try run { $0.part(part, of: image, in: library) }
  }

  package func prune(through number: Int64, as claim: LogClaim) throws(SharedLogError) {
    try run { $0.prune(through: number, as: claim) }
  }

  package func sweep(as claim: LogClaim) throws(SharedLogError) {
    try run { $0.sweep(as: claim) }
  }

  /// Executes a statement, or lets it fail as was decided.
  private func run<Result: Sendable>(
    _ statement: @escaping @Sendable (inout MemoryTables) -> Result
  ) throws(SharedLogError) -> Result {
    switch faults.withLock({ $0.isEmpty ? .none : $0.removeFirst() }) {
    case .none:
      guard let result = database.execute(statement) else {
        throw SharedLogError(.notDone, .away, "the database is away")
      }
      return result
    case .refused(let reason):
      throw SharedLogError(.notDone, reason, "refused")
    case .lost:
      throw SharedLogError(.unknown, .away, "the connection broke")
    case .unheard:
      _ = database.execute(statement)
      throw SharedLogError(.unknown, .away, "the connection broke")
    case .late:
      database.keep { _ = statement(&$0) }
      throw SharedLogError(.unknown, .away, "the connection broke")
    }
  }
}
