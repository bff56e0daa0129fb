import PaletteMerge
import PaletteModel

/// The authors of one palette, by id and by number.
///
/// A transaction asks it several times for every change. It is a class because each question to a
/// struct that another object holds begins with a copy, whose counting of references takes longer
/// than the answer. Whoever makes one is the only one who has it.
final class StreamTable {
  private var rows: [StreamRow] = []
  private var isChanged: [Bool] = []
  private var nodes = KeyPositions<NodeID>()
  private var numbers = KeyPositions<Int64>()
  /// The numbers of rows that are not in the table yet.
  private var added: Set<Int64> = []

  /// Reads the authors of a palette; one without a row has none.
  init(of palette: PaletteRow, in database: StoreDatabase) throws(StoreError) {
    guard palette.number != 0 else { return }
    let select = try database.box(.streams)
    try select.statement.bind(palette.number, at: 1)
    var found: [StreamRow] = []
    try select.statement.rows { found.append(StreamRow($0)) }
    for row in found { append(row) }
  }

  init(copying other: StreamTable) {
    (rows, isChanged) = (other.rows, other.isChanged)
    (nodes, numbers) = (other.nodes, other.numbers)
  }

  private func append(_ row: StreamRow) {
    rows.append(row)
    isChanged.append(false)
    nodes.append(row.node)
    numbers.append(row.number)
  }

  /// An author's row, if there is one.
  subscript(node: NodeID) -> StreamRow? { nodes.position(of: node).map { rows[$0] } }

  /// The value of the column for a live value's dot; nil if nothing of the author is known.
  ///
  /// Most palettes have few authors: then it is half as long as the change's own number, three times
  /// in every row. Numbers of the two kinds are on different sides of 2^32.
  func valueNumber(_ dot: Dot) -> Int64? {
    guard let row = self[dot.node] else { return nil }
    guard row.number < 16, dot.sequence < 1 << 28 else { return row.changeNumber(dot.sequence) }
    return Int64(dot.sequence) << 4 | row.number
  }

  /// The dot that the column of a live value's dot stands for.
  func dot(ofValue number: Int64) throws(StoreError) -> Dot {
    try dot(number >> 32 == 0 ? (number & 15) << 32 | number >> 4 : number)
  }

  /// Replaces an author's row, which is there.
  func update(_ row: StreamRow) {
    guard let position = nodes.position(of: row.node) else {
      preconditionFailure("a stream is made before it is changed")
    }
    rows[position] = row
    isChanged[position] = true
  }

  /// Every author's row.
  var all: some Collection<StreamRow> { rows }

  /// The frontier: the point up to which each author's changes are held.
  var frontier: Frontier {
    var frontier: Frontier = [:]
    for row in rows { frontier[row.node] = row.head }
    return frontier
  }

  /// True when a write lies within no drop.
  var isVisible: Bool { rows.contains { $0.wrote > $0.dropped } }

  func holds(_ dot: Dot) -> Bool { (self[dot.node]?.held ?? 0) >= dot.sequence }

  /// Makes the row of an author that has none; it is written with what is known of it in the end.
  ///
  /// Changes lie in the order of these numbers, and many that come at once are added most cheaply at
  /// the end. Mostly they are another's, so this library's own lie before them: in a palette that
  /// comes from elsewhere a number is left free for it.
  func begin(
    _ node: NodeID,
    isOwn: Bool,
    _ numbers: RowNumbers
  ) throws(StoreError) -> StreamRow {
    let first = isOwn ? rows.lazy.map(\.number).min() : nil
    let skipped: Int64 = rows.isEmpty && !isOwn ? 1 : 0
    let number = try numbers.nextStream(before: first, skipping: skipped)
    let row = StreamRow(number: number, node: node)
    append(row)
    added.insert(row.number)
    isChanged[rows.count - 1] = true
    return row
  }

  /// The dot that a change's `id` stands for.
  func dot(_ changeNumber: Int64) throws(StoreError) -> Dot {
    guard let position = numbers.position(of: changeNumber >> 32) else {
      throw StoreError(code: .corrupt, message: "no stream has the number \(changeNumber >> 32)")
    }
    return Dot(rows[position].node, UInt32(truncatingIfNeeded: changeNumber))
  }

  /// A change's `id`; nil when nothing of its author is known.
  func changeNumber(_ dot: Dot) -> Int64? { self[dot.node]?.changeNumber(dot.sequence) }

  /// Writes the rows that changed.
  func flush(of palette: PaletteRow, to database: StoreDatabase) throws(StoreError) {
    for (position, row) in rows.enumerated() where isChanged[position] {
      let isNew = added.remove(row.number) != nil
      let write = try database.box(isNew ? .insertStream : .updateStream)
      try write.statement.bind(row.number, at: 1)
      try write.statement.bind(Int64(row.held), at: 2)
      try write.statement.bind(Int64(bitPattern: row.link), at: 3)
      try write.statement.bind(Int64(row.wrote), at: 4)
      try write.statement.bind(Int64(row.dropped), at: 5)
      try write.statement.bind(Int64(row.floor), at: 6)
      try write.statement.bind(Int64(bitPattern: row.peak), at: 7)
      try write.statement.bind(Int64(row.sortedFrom), at: 8)
      if isNew {
        try write.statement.bind(palette.number, at: 9)
        try write.statement.bind(Int64(bitPattern: row.node.rawValue), at: 10)
      }
      try write.statement.run()
      isChanged[position] = false
    }
  }
}

extension Query {
  static let streams = Query(
    """
    SELECT id, node, held, link, wrote, dropped, floor, peak, sorted FROM stream
    WHERE palette = ?1
    """
  )
  static let lastStream = Query("SELECT max(id) FROM stream")
  static let hasStream = Query("SELECT 1 FROM stream WHERE id = ?1")
  fileprivate static let insertStream = Query(
    """
    INSERT INTO stream(id, held, link, wrote, dropped, floor, peak, sorted, palette, node)
    VALUES \(Self.row(of: 10))
    """
  )
  fileprivate static let updateStream = Query(
    """
    UPDATE stream SET held = ?2, link = ?3, wrote = ?4, dropped = ?5, floor = ?6, peak = ?7,
    sorted = ?8 WHERE id = ?1
    """
  )
}
