public import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteNode
internal import PalettePlatform
internal import PaletteStore

/// Follows what happens to a palette: through the node that has the library open, or in its file.
public struct PaletteFollower: Sendable {
  /// The interval at which the file is looked at, in microseconds.
  private static let interval: UInt32 = 100_000
  /// The number of looks after a change: a commit is written a while before it is to be seen, since
  /// it has to be synced first.
  private static let looks = 50

  private let location: LibraryLocation
  private let palette: String
  private let name: String?

  /// Names a palette of the library at a location; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - location: Where the library is.
  ///   - name: What others see who looks at the palette; nil to stay unseen, and to see nobody.
  public init(_ palette: String, at location: LibraryLocation, seenAs name: String? = nil) {
    self.palette = palette
    self.name = name
    self.location = location
  }

  /// Tells of every event, as a JSON document, until the caller throws or the node ends.
  ///
  /// - Parameters:
  ///   - unsynced: Called first when no node runs, so that nothing comes from elsewhere.
  ///   - event: Called with the snapshot, then with each diff.
  /// - Throws: What `event` throws, `not-found`, or that the node has ended.
  public func follow(
    unsynced: () -> Void,
    event: ([UInt8]) throws(APIError) -> Void
  ) throws(APIError) {
    if let node = try NodeConnection(home: location.home) {
      try follow(node, event)
    } else {
      do {
        try followFile(unsynced, event)
      } catch {
        throw APIError(any: error)
      }
    }
  }

  private func follow(
    _ node: NodeConnection,
    _ event: ([UInt8]) throws(APIError) -> Void
  ) throws(APIError) {
    let parameters: JSON = ["palette": JSON(palette)]
    try event(try node.call(Request(method: "palette.watch", parameters: parameters)).bytes)
    if let name {
      // Asked once their news come, and not waited for: whatever came before an answer would be lost.
      try node.send(Request(method: Command.peers.name))
      try node.send(
        Request(
          method: "palette.present",
          parameters: ["palette": JSON(palette), "name": JSON(name)]
        )
      )
    }
    let prefixes =
      ["palette.diff", "library.peers"]
      + (name == nil ? [] : ["palette.presence", "palette.title"])
    let starts = prefixes.map { Array(#"{"jsonrpc":"2.0","method":"\#($0)","params":"#.utf8) }
    while let message = try node.receive() {
      if let start = starts.first(where: message.starts) {
        try event(Array(message[start.count...].dropLast()))
      } else if let peers = NodeConnection.answer(in: message)?["peers"], peers.arrayValue != nil {
        try event((["event": "state", "peers": peers] as JSON).bytes)
      }
    }
    throw APIError(code: "failed", message: "the node ended")
  }

  /// The states of the database and its log, of which one changes with every commit.
  private static func files(of folder: LibraryFolder) -> [FileState] {
    ["", "-wal"].map { FileState(of: folder.databasePath + $0) }
  }

  /// Reads the file whenever it, or its log, has changed; no lock is taken.
  private func followFile(
    _ unsynced: () -> Void,
    _ event: ([UInt8]) throws(APIError) -> Void
  ) throws {
    let folder = try LibraryFolder(location.home)
    var signature = Self.files(of: folder)
    guard let store = try FolderAccess(location: location).reading() else {
      throw LibraryCall.missing(palette)
    }
    let summary = try store.visiblePalette(palette)
    unsynced()
    var frontier = try store.frontier(of: summary.id)
    var list = WatchedList(try store.colors(of: summary.id, withSeen: true))
    try event(PaletteSheet(summary, list.colors).snapshot)
    var looks = 0
    while true {
      usleep(Self.interval)
      let present = Self.files(of: folder)
      if present != signature { looks = Self.looks }
      guard looks > 0 else { continue }
      looks -= 1
      signature = present
      let library = FolderAccess(location: location)
      guard let store = try library.reading() else { continue }
      try store.read {
        guard try store.frontier(of: summary.id) != frontier else { return }
        let isDropped = try store.summary(of: summary.id)?.isDropped ?? true
        let colors = isDropped ? [] : try store.colors(of: summary.id, withSeen: true)
        let change = try list.replace(with: colors)
        let newest = try store.newestChange(of: summary.id, after: frontier)
        frontier = try store.frontier(of: summary.id)
        guard !change.isEmpty else { return }
        var author = newest.map { ChangeAuthor($0.dot, at: $0.stamp) }
        if let node = author?.dot.node {
          author?.name = try library.authorName(of: node, in: summary.id, store)
        }
        try event(
          change.document(of: summary.id, by: author)
        )
      }
    }
  }
}

extension ChangeStore {
  /// The newest change that a frontier lacks, by stamp and dot.
  fileprivate func newestChange(of palette: PaletteID, after frontier: Frontier) throws -> Change? {
    let changes = try changes(of: palette, after: frontier) ?? []
    return try changes.map { try Change(decoding: $0, in: palette) }.max {
      ($0.stamp, $0.dot) < ($1.stamp, $1.dot)
    }
  }
}
