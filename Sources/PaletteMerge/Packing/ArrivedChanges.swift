public import PaletteModel

/// Changes of a palette that a peer pushed.
public struct ArrivedChanges: Hashable, Sendable {
  /// The form in which the changes are kept.
  package enum Content: Hashable, Sendable {
    /// One by one, in the order in which they came.
    case changes([ArrivedChange])
    /// As the first changes of a palette.
    case beginning(PaletteBeginning)
  }

  /// The palette.
  public let palette: PaletteID
  /// The changes.
  package var content: Content

  /// Describes changes of a palette.
  public init(palette: PaletteID, changes: [ArrivedChange]) {
    self.palette = palette
    content = .changes(changes)
  }

  /// Describes the first changes of a palette.
  init(palette: PaletteID, beginning: PaletteBeginning) {
    self.palette = palette
    content = .beginning(beginning)
  }

  /// The changes one by one, in the order in which they came.
  public var changes: [ArrivedChange] {
    switch content {
    case .changes(let changes): changes
    case .beginning(let beginning): beginning.changes.arrived(in: palette)
    }
  }

  /// The number of changes there are.
  public var count: Int {
    switch content {
    case .changes(let changes): changes.count
    case .beginning(let beginning): beginning.changes.rows.count
    }
  }

  /// The number of bytes the changes have.
  package var byteCount: Int {
    switch content {
    case .changes(let changes): changes.reduce(0) { $0 + $1.bytes.count }
    case .beginning(let beginning): beginning.byteCount
    }
  }

  /// The names of the changes, in order.
  public var dots: some Sequence<Dot> { (0..<count).lazy.map { dot(at: $0) } }

  private func dot(at index: Int) -> Dot {
    switch content {
    case .changes(let changes): changes[index].dot
    case .beginning(let beginning):
      beginning.changes.dot(of: beginning.changes.rows[index])
    }
  }

  /// The last change of each author, where its hash is known already.
  package var heads: Frontier {
    switch content {
    case .beginning(let beginning): return beginning.frontier
    case .changes(let changes):
      var heads: Frontier = [:]
      for index in changes.indices {
        let dot = changes[index].dot
        // An author's changes follow each other: the last of them tells.
        if index + 1 < changes.count, changes[index + 1].dot.node == dot.node { continue }
        let link = changes[index].hash?.link ?? 0
        heads[dot.node] = StreamHead(sequence: dot.sequence, link: link)
      }
      return heads
    }
  }

  /// Brings the bytes that were promised.
  mutating func bring(_ bytes: [UInt8]) {
    switch content {
    case .changes(var changes):
      content = .changes([])
      for index in changes.indices { changes[index].come(to: bytes) }
      content = .changes(changes)
    case .beginning(var beginning):
      beginning.bring(bytes)
      content =
        beginning.isSound
        ? .beginning(beginning) : .changes(beginning.changes.arrived(in: palette))
    }
  }
}
