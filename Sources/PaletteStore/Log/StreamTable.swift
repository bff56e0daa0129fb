import PaletteModel

/// The authors of one palette, by id and by number.
struct StreamTable {
  private var rows: [NodeID: StreamRow] = [:]
  private var nodes: [Int64: NodeID] = [:]
  private var changed: Set<NodeID> = []

  init(of palette: PaletteRow, in store: ChangeStore) throws(StoreError) {
    let select = try store.box(.streams)
    try select.statement.bind(palette.number, at: 1)
    var found: [StreamRow] = []
    try select.statement.rows { found.append(StreamRow($0)) }
    for row in found {
      rows[row.node] = row
      nodes[row.number] = row.node
    }
  }

  /// An author's row; writing one back marks it as changed.
  subscript(node: NodeID) -> StreamRow? {
    get { rows[node] }
    set {
      rows[node] = newValue
      changed.insert(node)
    }
  }

  /// Every author's row.
  var all: some Collection<StreamRow> { rows.values }

  /// How far each author's changes are held.
  var frontier: Frontier { rows.compactMapValues(\.tip) }

  /// True when a write lies within no drop.
  var isVisible: Bool { rows.values.contains { $0.wrote > $0.dropped } }

  func holds(_ dot: Dot) -> Bool { (rows[dot.node]?.held ?? 0) >= dot.sequence }

  /// An author's row, made when there is none yet.
  mutating func stream(
    of node: NodeID,
    in palette: PaletteRow,
    _ store: ChangeStore
  ) throws(StoreError) -> StreamRow {
    if let row = rows[node] { return row }
    let insert = try store.box(.insertStream)
    try insert.statement.bind(palette.number, at: 1)
    try insert.statement.bind(Int64(bitPattern: node.rawValue), at: 2)
    let row = StreamRow(number: try insert.statement.row { $0.int64(0) } ?? 0, node: node)
    rows[node] = row
    nodes[row.number] = node
    return row
  }

  /// The dot that a change's `id` stands for.
  func dot(_ changeNumber: Int64) throws(StoreError) -> Dot {
    guard let node = nodes[changeNumber >> 32] else {
      throw StoreError(code: .corrupt, message: "no stream has the number \(changeNumber >> 32)")
    }
    return Dot(node, UInt32(truncatingIfNeeded: changeNumber))
  }

  /// A change's `id`; nil when nothing of its author is known.
  func changeNumber(_ dot: Dot) -> Int64? { rows[dot.node]?.changeNumber(dot.sequence) }

  mutating func flush(_ store: ChangeStore) throws(StoreError) {
    for node in changed {
      guard let row = rows[node] else { continue }
      let update = try store.box(.updateStream)
      try update.statement.bind(row.number, at: 1)
      try update.statement.bind(Int64(row.held), at: 2)
      try update.statement.bind(Int64(bitPattern: row.link), at: 3)
      try update.statement.bind(Int64(row.wrote), at: 4)
      try update.statement.bind(Int64(row.dropped), at: 5)
      try update.statement.bind(Int64(row.floor), at: 6)
      try update.statement.run()
    }
    changed = []
  }
}
