public import PaletteModel
internal import PalettePlatform

extension ChangeStore {
  /// The most palettes that a sample has, the most changes of each, and how far back it looks.
  private static let sample = (palettes: 8, changes: 2_000, depth: 64)

  /// Some of the newest palettes, so few and small that `verify` looks at all of them in a moment.
  ///
  /// - Returns: The palettes, and whether these are all there are.
  public func samplePalettes() throws(StoreError) -> (palettes: [PaletteID], isAll: Bool) {
    let select = try database.prepare(
      """
      SELECT uuid, (SELECT sum(held) FROM stream WHERE stream.palette = newest.id)
      FROM (SELECT id, uuid FROM palette ORDER BY id DESC LIMIT \(Self.sample.depth + 1)) AS newest
      """
    )
    var found: [PaletteID] = []
    var isAll = true
    try select.rows { row throws(StoreError) in
      guard found.count < Self.sample.palettes, row.int64(1) <= Self.sample.changes else {
        isAll = false
        return
      }
      found.append(PaletteID(try row.recordID(0)))
    }
    return (found, isAll)
  }

  /// The bytes of the database, free pages included.
  public func databaseBytes() throws(StoreError) -> Int {
    Int(
      try database.connection.integer(pragma: "page_count")
        * database.connection.integer(pragma: "page_size")
    )
  }

  /// Opens a backup for reading, without writing anything in its folder.
  ///
  /// - Parameter path: The file.
  /// - Returns: The backup, and the version of its format: one of an older format can be checked page
  ///   by page, and read once `recover` put it in place.
  /// - Throws: `StoreError` with code `notALibrary`, `newerFormat`, `corrupt` and others.
  public static func reading(
    backup path: String
  ) throws(StoreError) -> (store: ChangeStore, version: Int) {
    let path = try AbsolutePath(path).text
    let folder = try LibraryFolder(
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/")
    )
    guard try fileSize(path) != nil else {
      throw StoreError(systemError: ENOENT, doing: "open", path: path)
    }
    try folder.checkHeader(of: path, newestVersion: LibrarySchema.version)
    let connection = try ReadingMode(of: path).open(path)
    let version = try folder.checkFormat(connection, of: path, newestVersion: LibrarySchema.version)
    let store = try ChangeStore(
      backupIn: folder,
      connection,
      isReadable: version == LibrarySchema.version
    )
    return (store, version)
  }

  /// Reads every page of a backup and lists what is damaged; empty when nothing is.
  public func pageProblems() throws(StoreError) -> [String] {
    try database.connection.integrityCheck()
  }
}
