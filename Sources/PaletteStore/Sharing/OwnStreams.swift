import PaletteModel

/// This library's own streams of one palette or of all, and how far peers have stated to hold them.
struct OwnStreams {
  private struct Own {
    let node: NodeID
    let number: Int64
    let held: UInt32
    /// The change that says what the author is called, which is no edit; 0 for none.
    var introduction: UInt32 = 0
  }

  private struct Statement: Hashable {
    let url: String
    let palette: PaletteID
    let node: NodeID
  }

  private var own: [PaletteID: [Own]] = [:]
  private var stated: [Statement: UInt32] = [:]
  private let refusals: [String: [Int64: UInt32]]

  /// Reads what concerns one palette, or all of them.
  init(
    of palette: PaletteID?,
    _ database: StoreDatabase,
    _ peers: PeerTable,
    _ authors: AuthorNames
  ) throws(StoreError) {
    refusals = try peers.refusals()
    let streams = try database.box(palette == nil ? .ownStreams : .ownStreamsOfPalette)
    if let palette { try streams.statement.bind(palette.record, at: 1) }
    try streams.statement.rows { row throws(StoreError) in
      let node = NodeID(UInt64(bitPattern: row.int64(1)))
      let held = UInt32(truncatingIfNeeded: row.int64(3))
      own[PaletteID(try row.recordID(0)), default: []].append(
        Own(node: node, number: row.int64(2), held: held)
      )
    }
    try readStatements(database)
    try findIntroductions(by: authors)
  }

  /// Reads what peers stated of the palettes that count.
  private mutating func readStatements(_ database: StoreDatabase) throws(StoreError) {
    let select = try database.box(.statedOfPalette)
    for palette in own.keys {
      try select.statement.bind(palette.record, at: 1)
      try select.statement.rows { row in
        let node = NodeID(UInt64(bitPattern: row.int64(1)))
        let statement = Statement(url: row.text(0), palette: palette, node: node)
        stated[statement] = UInt32(truncatingIfNeeded: row.int64(2))
      }
    }
  }

  /// Looks for the changes that are no edits, where anything may be pending.
  private mutating func findIntroductions(by authors: AuthorNames) throws(StoreError) {
    var held: [Statement: UInt32] = [:]
    for (statement, sequence) in stated {
      let anywhere = Statement(url: "", palette: statement.palette, node: statement.node)
      held[anywhere] = max(held[anywhere] ?? 0, sequence)
    }
    for (palette, streams) in own {
      for (index, stream) in streams.enumerated()
      where stream.held > held[Statement(url: "", palette: palette, node: stream.node)] ?? 0 {
        let sequence = try authors.introduction(of: stream.node, in: palette)
        own[palette]?[index].introduction = sequence ?? 0
      }
    }
  }

  /// The palettes that hold changes of this library; of all palettes, those of which some peer has
  /// not stated to hold everything.
  var palettes: some Collection<PaletteID> { own.keys }

  /// The number of changes of a palette that none of these peers reported to hold.
  ///
  /// What a peer refused for good is not pending there.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - urls: The peers that count.
  /// - Returns: The number; 0 when no peer counts.
  func count(of palette: PaletteID, at urls: [String]) -> Int {
    guard !urls.isEmpty else { return 0 }
    return (own[palette] ?? []).reduce(0) { count, stream in
      var wanted: UInt32 = 0
      var held: UInt32 = 0
      for url in urls {
        wanted = max(wanted, refusals[url]?[stream.number].map { max($0, 1) - 1 } ?? stream.held)
        let statement = Statement(url: url, palette: palette, node: stream.node)
        held = max(held, stated[statement] ?? 0)
      }
      guard wanted > held else { return count }
      let isIntroduced = held < stream.introduction && stream.introduction <= wanted
      return count + Int(wanted - held) - (isIntroduced ? 1 : 0)
    }
  }
}

extension Query {
  private static let ownStreamColumns =
    "SELECT palette.uuid, stream.node, stream.id, stream.held"

  // peer has stated to hold all.
  // Few of the palettes that a library holds may have changes of its own, and of nearly all streams every
  fileprivate static let ownStreams = Query(
    """
    \(Self.ownStreamColumns) FROM identity CROSS JOIN stream ON stream.node = identity.node
    CROSS JOIN palette ON palette.id = stream.palette
    WHERE stream.held > 0 AND EXISTS(SELECT 1 FROM peer WHERE stream.held > ifnull((
      SELECT sequence FROM stated WHERE stated.peer = peer.id AND stated.palette = palette.uuid
      AND stated.node = stream.node), 0))
    """
  )
  fileprivate static let ownStreamsOfPalette = Query(
    """
    \(Self.ownStreamColumns) FROM palette CROSS JOIN identity
    CROSS JOIN stream ON stream.palette = palette.id AND stream.node = identity.node
    WHERE stream.held > 0 AND palette.uuid = ?1
    """
  )
  fileprivate static let statedOfPalette = Query(
    """
    SELECT peer.url, stated.node, stated.sequence FROM peer
    CROSS JOIN stated ON stated.peer = peer.id AND stated.palette = ?1
    """
  )
}
