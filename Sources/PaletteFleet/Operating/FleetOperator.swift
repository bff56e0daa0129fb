internal import PaletteCommands
package import PaletteJSON
internal import PaletteStore

/// The operations on the libraries of a fleet that need the database alone.
package struct FleetOperator {
  /// A library and how it is joined.
  package struct Shared: Hashable, Sendable {
    /// The library.
    package let id: SharedLibraryID
    /// Its name.
    package let name: String
    /// The join code; nil while no hub lives, whose address it could name.
    package let code: String?
  }

  private let log: any SharedLog
  private let visit: LibraryVisit

  /// Connects.
  ///
  /// - Parameters:
  ///   - machine: The machine on which the command runs.
  ///   - makeLog: Makes a connection to the shared log, which is not made yet.
  ///   - onWait: Called once with a library's name where its owner takes long to let go of it.
  /// - Throws: `SharedLogError` where the database cannot be used.
  package init(
    on machine: String,
    log makeLog: @escaping () throws -> any SharedLog,
    onWait: @escaping (String) -> Void = { _ in }
  ) throws {
    log = try makeLog()
    try log.connect()
    visit = LibraryVisit(on: machine, log: makeLog, onWait: onWait)
  }

  // MARK: Libraries

  /// Makes a library, with a code for its owner.
  package func makeLibrary(named name: String) throws -> Shared {
    let address = try address(of: name)
    let made = try LibraryTransfer(log).makeLibrary(named: name) { store in
      try address.map { try Self.code(for: store, at: $0, ["role": "owner"]) }
    }
    return Shared(id: made.library.id, name: name, code: made.result)
  }

  /// Makes a join code for a library.
  ///
  /// - Parameters:
  ///   - name: The library.
  ///   - parameters: The parameters of `share`; the role is an owner's where they name none.
  /// - Returns: The library and the code.
  /// - Throws: `APIError` for parameters that cannot be right, and what visiting the library throws.
  package func share(_ name: String, _ parameters: [String: JSON]) throws -> Shared {
    guard let address = try address(of: name) else {
      guard let library = try log.look(name) else { throw APIError.noLibrary(name) }
      return Shared(id: library.id, name: name, code: nil)
    }
    let shared = try visit.use(name) { store in
      try Self.code(
        for: store,
        at: address,
        parameters.merging(["role": "owner"]) { own, _ in own }
      )
    }
    return Shared(id: shared.id, name: name, code: shared.result)
  }

  /// All libraries, by name, with the names of their owners.
  package func libraries() throws -> [SharedLibrary] { try log.list() }

  /// The hubs that live as far as can be seen, the newest first.
  package func hubs() throws -> [LogHub] {
    try log.hubs().filter { !$0.id.isCommand && !$0.isSilent }
  }

  /// Removes a library with all that it has.
  package func drop(_ name: String) throws -> SharedLibraryID {
    guard let library = try log.look(name), try log.drop(library.id) else {
      throw APIError.noLibrary(name)
    }
    return library.id
  }

  /// Makes a library of a home, which is only read, with a code for its owner.
  package func importLibrary(
    from home: String,
    as name: String
  ) throws -> (library: LibraryTransfer.Carried, code: String?) {
    let carried = try LibraryTransfer(log).importLibrary(from: LibraryFolder(home), as: name)
    return (carried, try share(name, [:]).code)
  }

  /// Makes a home of a library, which goes on.
  package func exportLibrary(_ name: String, to home: String) throws -> LibraryTransfer.Carried {
    try LibraryTransfer(log).exportLibrary(name, to: LibraryFolder(home))
  }

  // MARK: Codes

  /// The address under which a library is reached: that of the newest hub; nil while none lives.
  private func address(of name: String) throws -> String? {
    try hubs().first.map { $0.url + LibraryPath.base(of: name) }
  }

  private static func code(
    for store: ChangeStore,
    at address: String,
    _ parameters: [String: JSON]
  ) throws -> String {
    let request = Request(
      method: Command.share.name,
      parameters: JSON(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    )
    let answer = try VisitedLibrary(store, at: address).answer(request)
    guard let code = try answer.json["code"]?.stringValue else {
      throw APIError(code: "bad-usage", message: "such a share has no code")
    }
    return code
  }
}
