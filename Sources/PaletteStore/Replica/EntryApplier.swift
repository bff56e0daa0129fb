/// Brings the file of a library forward by entries of its log.
///
/// Rows are changed as they are: nothing is merged, so that nothing can take a new node id. What throws
/// leaves the file as it was; the file is to be made from an image then.
package struct EntryApplier: ~Copyable {
  private let connection: DatabaseConnection
  /// The newest entry that the file holds.
  package private(set) var position: CachePosition
  /// The tables that were compared with what entries say of them.
  private var compared: Set<Changeset.Table> = []

  /// Opens the file of a library that nobody else has open for writing.
  ///
  /// - Throws: `StoreError` with code `locked`, `newerFormat`, `notALibrary` and others; `corrupt` where
  ///   it says no position.
  package init(
    _ folder: LibraryFolder,
    schema: LibrarySchema = .current
  ) throws(StoreError) {
    let connection = try folder.openCache(newestVersion: schema.version)
    guard let position = try connection.local(.position).flatMap({ CachePosition(bytes: $0) })
    else {
      throw StoreError(code: .corrupt, message: "the file is no cache of a log: \(folder.path)")
    }
    self.connection = connection
    self.position = position
  }

  /// Applies entries that follow each other, in one transaction.
  ///
  /// - Parameters:
  ///   - entries: The entries behind the file's position, in their order.
  ///   - expand: Gives the changeset that the content of an entry is.
  /// - Throws: What `expand` throws, or `StoreError` with code `corrupt` where an entry does not follow
  ///   the one before it, is a jump, or is about other tables or rows than there are.
  package mutating func apply(
    _ entries: [LogEntry],
    expand: ([UInt8]) throws(StoreError) -> [UInt8]
  ) throws(StoreError) {
    var reached = position
    var compared = compared
    try connection.begin()
    do throws(StoreError) {
      for entry in entries {
        let changes = Changeset(try expand(try Self.content(of: entry, behind: reached)))
        for table in try changes.tables() where !compared.contains(table) {
          try compare(table)
          compared.insert(table)
        }
        try changes.apply(to: connection)
        reached = entry.position
      }
      try connection.setLocal(.position, reached.bytes)
      try connection.commit()
    } catch {
      connection.rollBack()
      throw error
    }
    position = reached
    self.compared = compared
  }

  /// The content of an entry that follows a position.
  private static func content(
    of entry: LogEntry,
    behind position: CachePosition
  ) throws(StoreError) -> [UInt8] {
    guard let content = entry.content else {
      throw StoreError(code: .corrupt, message: "entry \(entry.position.number) is a jump")
    }
    guard entry.position == position.next(epoch: entry.position.epoch, content: content),
      entry.position.epoch >= position.epoch
    else {
      throw StoreError(
        code: .corrupt,
        message: "entry \(entry.position.number) does not follow \(position.number)"
      )
    }
    return content
  }

  private func compare(_ table: Changeset.Table) throws(StoreError) {
    guard TableScope.tables[table.name] == .recorded,
      try connection.shape(of: table.name) == table
    else {
      throw StoreError(code: .corrupt, message: "the file has another table \(table.name)")
    }
  }
}
