internal import PaletteCommands
package import PaletteStore

/// The carrying of a library into a fleet, and back to a home.
///
/// Either way it is a copy, with node ids of its own, so that the one that was copied may go on. It waits for
/// the database, so no loop calls it.
package struct LibraryTransfer: Sendable {
  /// A library that was carried.
  package struct Carried: Hashable, Sendable {
    /// The library in the fleet.
    package let id: SharedLibraryID
    /// Its name there.
    package let name: String
    /// The number of its palettes.
    package let palettes: Int
    /// The number of their colors.
    package let colors: Int
    /// The number of people and machines with rights.
    package let members: Int
  }

  /// The number of times that a library which changes meanwhile is read again.
  private static let attempts = 5

  private let log: any SharedLog

  /// Names the log of the fleet, which is connected.
  package init(_ log: any SharedLog) {
    self.log = log
  }

  // MARK: Into the fleet

  /// Makes a library of the fleet in which there is nothing yet.
  ///
  /// - Parameters:
  ///   - name: The name of the new library.
  ///   - prepare: Writes what is to be in it from the beginning.
  /// - Returns: The new library, and what `prepare` returned.
  /// - Throws: As `importLibrary`.
  package func makeLibrary<Result>(
    named name: String,
    preparing prepare: (ChangeStore) throws -> Result
  ) throws -> (library: Carried, result: Result) {
    try checkIsFree(name)
    let temporary = try TemporaryFolder()
    let folder = try LibraryFolder(temporary.path)
    var random = SystemRandomNumberGenerator()
    let result = try prepare(ChangeStore(writing: folder))
    let id = SharedLibraryID.random(using: &random)
    let made = try Self.describe(ChangeStore(writing: folder), id, name)
    try publish(folder, as: made, for: .random(using: &random))
    return (made, result)
  }

  /// Makes a library of the fleet from a home, members and undo included; the home is only read.
  ///
  /// - Parameters:
  ///   - home: The folder of the library.
  ///   - name: The name of the new library.
  /// - Returns: The new library.
  /// - Throws: `APIError` with code `exists` where the name is taken, `not-found` where there is no library,
  ///   and `bad-usage` for a name that cannot be one; `StoreError` and `SharedLogError`.
  package func importLibrary(from home: LibraryFolder, as name: String) throws -> Carried {
    try checkIsFree(name)
    let temporary = try TemporaryFolder()
    let folder = try LibraryFolder(temporary.path)
    try Self.copy(home, to: folder)
    var random = SystemRandomNumberGenerator()
    let id = SharedLibraryID.random(using: &random)
    // What is opened is a copy, and takes ids of its own.
    let carried = try Self.describe(ChangeStore(writing: folder), id, name)
    try publish(folder, as: carried, for: .random(using: &random))
    return carried
  }

  private func checkIsFree(_ name: String) throws {
    guard LibraryPath.isName(name) else {
      throw APIError(
        code: "bad-usage",
        message: "\(name) is no name of a library",
        hint: "1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends"
      )
    }
    guard try log.look(name) == nil else { throw Self.isTaken(name) }
  }

  /// Gives the log a library that no store has open, as a jump from nothing.
  ///
  /// No hub serves it before it has its image.
  private func publish(_ folder: LibraryFolder, as library: Carried, for maker: HubID) throws {
    let schema = ChangeStore.formatVersion
    guard try log.create(library.id, named: library.name, schema: schema) else {
      throw Self.isTaken(library.name)
    }
    let claim: LogClaim
    do {
      guard let row = try log.look(library.name), row.id == library.id,
        let state = try log.take(row, because: .free, for: maker, schema: schema)
      else { throw SharedLogError.fenced }
      claim = LogClaim(library.id, hub: maker, epoch: state.epoch)
      _ = try OwnedCache(log, claim, LibraryCache(folder)).jump(behind: .start)
    } catch {
      // Where the database is away, it stays as a name that leads nowhere, and can be dropped.
      _ = try? log.drop(library.id)
      throw error
    }
    // It is whole. Nobody beats for its maker, so that a hub may have taken it already, and takes it otherwise.
    _ = try? log.letGo(claim)
  }

  private static func copy(_ library: LibraryFolder, to folder: LibraryFolder) throws {
    guard let source = try library.openForReading(newestVersion: ChangeStore.formatVersion) else {
      throw APIError(code: "not-found", message: "there is no library in \(library.path)")
    }
    try source.connection.backup(to: folder.databasePath)
  }

  // MARK: Back

  /// Makes a home of a library of the fleet, members and undo included; it goes on there.
  ///
  /// - Parameters:
  ///   - name: The library's name.
  ///   - home: The folder to make.
  /// - Returns: The library that was read.
  /// - Throws: `APIError` with code `exists` where there is something in the home, and `not-found` where the
  ///   fleet has no such library; `StoreError` and `SharedLogError`.
  package func exportLibrary(_ name: String, to home: LibraryFolder) throws -> Carried {
    guard try !home.exists else {
      throw APIError(code: "exists", message: "there is a library already in \(home.path)")
    }
    let temporary = try TemporaryFolder()
    let folder = try LibraryFolder(temporary.path)
    let cache = LibraryCache(folder)
    let id = try make(cache, from: name)
    _ = try cache.migrate()
    guard let store = try ChangeStore.reading(folder) else {
      throw StoreError(code: .cannotOpen, message: "there is no library in \(folder.path)")
    }
    let carried = try Self.describe(store, id, name)
    // Whoever opens it next finds that it is a copy, and gives it ids of its own.
    try home.create()
    try Self.copy(folder, to: home)
    return carried
  }

  /// Makes the file of a library as its log has it now, whoever owns it.
  private func make(_ cache: LibraryCache, from name: String) throws -> SharedLibraryID {
    var attempt = 1
    while true {
      guard let library = try log.look(name), library.state.image != nil else {
        throw APIError.noLibrary(name)
      }
      do {
        let maker = CacheMaker(log, library.id, cache)
        _ = try maker.make(from: nil, for: library.state, timestamp: "")
        return library.id
      } catch let error as StoreError where error.code == .corrupt && attempt < Self.attempts {
        // A new image may have taken the place of the one that was read.
        attempt += 1
      }
    }
  }

  private static func describe(
    _ store: ChangeStore,
    _ id: SharedLibraryID,
    _ name: String
  ) throws -> Carried {
    let palettes = try store.palettes()
    return Carried(
      id: id,
      name: name,
      palettes: palettes.count,
      colors: palettes.reduce(0) { $0 + $1.count },
      members: Set(try store.members.grants().compactMap { $0.member?.id }).count
    )
  }

  private static func isTaken(_ name: String) -> APIError {
    APIError(code: "exists", message: "the fleet has a library \(name) already")
  }
}

extension APIError {
  /// The error where the fleet has no library of a name.
  static func noLibrary(_ name: String) -> APIError {
    APIError(
      code: "not-found",
      message: "the fleet has no library \(name)",
      hint: "'hued-fleet list' lists the libraries"
    )
  }
}
