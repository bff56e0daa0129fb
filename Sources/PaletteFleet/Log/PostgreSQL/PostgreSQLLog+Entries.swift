package import PaletteStore

extension PostgreSQLLog {
  /// The time to read or remove much, which no loop waits for.
  private static let longSeconds = 10.0

  package func append(
    _ entry: LogEntry,
    after hash: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError) {
    try add(
      .append,
      .uuid(claim.library),
      .int(claim.hub.number),
      .int(claim.epoch),
      .int(entry.position.number - 1),
      .bytes(hash),
      .bytes(entry.position.hash),
      .bytes(entry.content ?? [])
    )
  }

  package func tail(
    of library: SharedLibraryID,
    after number: Int64
  ) throws(SharedLogError) -> [LogEntry] {
    var entries: [LogEntry] = []
    for row in try rows(.tail, .uuid(library), .int(number), seconds: Self.longSeconds) {
      let position = CachePosition(
        number: try PostgreSQLRow.must(row.number(0)),
        epoch: try PostgreSQLRow.must(row.number(1)),
        hash: try PostgreSQLRow.must(row.bytes(2))
      )
      entries.append(LogEntry(position: position, content: row.bytes(3)))
    }
    return entries
  }

  package func growth(of library: SharedLibraryID) throws(SharedLogError) -> LogGrowth {
    guard let row = try rows(.growth, .uuid(library), seconds: Self.longSeconds).first else {
      return LogGrowth(behind: 0, image: 0)
    }
    return LogGrowth(
      behind: try PostgreSQLRow.must(row.number(0)),
      image: try PostgreSQLRow.must(row.number(1))
    )
  }

  package func addPart(
    _ part: Int,
    of number: Int64,
    _ bytes: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError) {
    try add(
      .addPart,
      .uuid(claim.library),
      .int(claim.hub.number),
      .int(claim.epoch),
      .int(number),
      .int(Int64(part)),
      .bytes(bytes)
    )
  }

  package func switchImage(
    to image: LogImage,
    as claim: LogClaim
  ) throws(SharedLogError) -> Bool {
    let rows = try rows(
      .switchImage,
      .uuid(claim.library),
      .int(claim.hub.number),
      .int(claim.epoch),
      .int(image.number),
      .int(Int64(image.parts)),
      .bytes(image.hash)
    )
    return !rows.isEmpty
  }

  package func jump(
    _ entry: LogEntry,
    to image: LogImage,
    schema: Int,
    after hash: [UInt8],
    as claim: LogClaim
  ) throws(SharedLogError) {
    try add(
      .jump,
      .uuid(claim.library),
      .int(claim.hub.number),
      .int(claim.epoch),
      .int(entry.position.number - 1),
      .bytes(hash),
      .bytes(entry.position.hash),
      .int(Int64(schema)),
      .int(Int64(image.parts)),
      .bytes(image.hash)
    )
  }

  package func part(
    _ part: Int,
    of image: LogImage,
    in library: SharedLibraryID
  ) throws(SharedLogError) -> [UInt8]? {
    try rows(
      .part,
      .uuid(library),
      .int(image.number),
      .int(image.epoch),
      .int(Int64(part)),
      seconds: Self.longSeconds
    ).first?.bytes(0)
  }

  package func prune(through number: Int64, as claim: LogClaim) throws(SharedLogError) {
    try repeatWhileRemoving { () throws(SharedLogError) in
      try rows(
        .prune,
        .uuid(claim.library),
        .int(claim.hub.number),
        .int(claim.epoch),
        .int(number)
      )
    }
  }

  package func sweep(as claim: LogClaim) throws(SharedLogError) {
    try repeatWhileRemoving { () throws(SharedLogError) in
      try rows(.sweep, .uuid(claim.library), .int(claim.hub.number), .int(claim.epoch))
    }
  }

  /// Executes a statement that removes some rows until it finds none.
  private func repeatWhileRemoving(
    _ statement: () throws(SharedLogError) -> [PostgreSQLRow]
  ) throws(SharedLogError) {
    while try statement().first?.number(0) ?? 0 > 0 {}
  }
}
