public import PaletteModel

/// How many of this library's own changes peers have not stated to hold, for all palettes at once.
public struct PendingChanges: Sendable {
  private struct Own {
    let node: NodeID
    let number: Int64
    let held: UInt32
  }

  private struct Statement: Hashable {
    let url: String
    let palette: PaletteID
    let node: NodeID
  }

  private var own: [PaletteID: [Own]] = [:]
  private var stated: [Statement: UInt32] = [:]
  private let refusals: [String: [Int64: UInt32]]

  fileprivate init(in store: ChangeStore) throws(StoreError) {
    refusals = try store.refusals()
    let urls = try Self.urls(store)
    let streams = try store.connection.prepare(
      """
      SELECT palette.uuid, stream.node, stream.id, stream.held FROM stream
      JOIN palette ON palette.id = stream.palette WHERE stream.held > 0
      """
    )
    try streams.rows { row throws(StoreError) in
      let node = NodeID(UInt64(bitPattern: row.int64(1)))
      guard store.isOwn(node) else { return }
      let held = UInt32(truncatingIfNeeded: row.int64(3))
      own[PaletteID(try row.recordID(0)), default: []].append(
        Own(node: node, number: row.int64(2), held: held)
      )
    }
    let statements = try store.connection.prepare(
      "SELECT peer, palette, node, sequence FROM stated"
    )
    try statements.rows { row throws(StoreError) in
      guard let url = urls[row.int64(0)] else { return }
      let statement = Statement(
        url: url,
        palette: PaletteID(try row.recordID(1)),
        node: NodeID(UInt64(bitPattern: row.int64(2)))
      )
      stated[statement] = UInt32(truncatingIfNeeded: row.int64(3))
    }
  }

  private static func urls(_ store: ChangeStore) throws(StoreError) -> [Int64: String] {
    var urls: [Int64: String] = [:]
    try store.connection.prepare("SELECT id, url FROM peer").rows { urls[$0.int64(0)] = $0.text(1) }
    return urls
  }

  /// The palettes that hold changes of this library.
  public var palettes: some Collection<PaletteID> { own.keys }

  /// How many changes of a palette none of these peers has stated to hold.
  ///
  /// What a peer refused for good is not pending there.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - urls: The peers that count.
  /// - Returns: The number; 0 when no peer counts.
  public func count(of palette: PaletteID, at urls: [String]) -> Int {
    guard !urls.isEmpty else { return 0 }
    return (own[palette] ?? []).reduce(0) { count, stream in
      var wanted: UInt32 = 0
      var held: UInt32 = 0
      for url in urls {
        wanted = max(wanted, refusals[url]?[stream.number].map { max($0, 1) - 1 } ?? stream.held)
        let statement = Statement(url: url, palette: palette, node: stream.node)
        held = max(held, stated[statement] ?? 0)
      }
      return count + Int(wanted > held ? wanted - held : 0)
    }
  }
}

extension ChangeStore {
  /// What is pending, counted in one pass over the library.
  public func pendingChanges() throws(StoreError) -> PendingChanges {
    try PendingChanges(in: self)
  }

  /// How many of this library's own changes of a palette no peer that takes them has stated to hold.
  public func pending(of id: PaletteID, at urls: [String]) throws(StoreError) -> Int {
    try pendingChanges().count(of: id, at: urls)
  }
}
