public import PaletteModel

extension ChangeStore {
  /// A palette's whole state without its history; nil when nothing of it is held.
  public func snapshot(of id: PaletteID) throws(StoreError) -> Snapshot? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try StreamTable(of: palette, in: self)
    var live: [Dot: (registers: [Register], isCovered: Bool)] = [:]
    for record in try recordIDs(of: palette) {
      for value in try storedRecord(record, in: palette, streams).state.values {
        live[value.dot, default: ([], value.isCovered)].registers.append(value.register)
      }
    }
    var rows: [Snapshot.Row] = []
    for (dot, entry) in live.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try changeBytes(dot, streams) else {
        throw StoreError(code: .corrupt, message: "the change of a live value is missing")
      }
      rows.append(Snapshot.Row(bytes: bytes, live: entry.registers, isCovered: entry.isCovered))
    }
    var wrote: [NodeID: UInt32] = [:]
    var dropped: [NodeID: UInt32] = [:]
    for stream in streams.all {
      if stream.wrote > 0 { wrote[stream.node] = stream.wrote }
      if stream.dropped > 0 { dropped[stream.node] = stream.dropped }
    }
    return Snapshot(
      frontier: streams.frontier,
      dropped: dropped,
      highestWrite: wrote,
      ahead: try pendingReferences(of: palette),
      rows: rows
    )
  }

  func recordIDs(of palette: PaletteRow) throws(StoreError) -> [RecordID] {
    var records: [RecordID] = []
    let select = try box(.names)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in records.append(try row.recordID(0)) }
    return records
  }

  func pendingReferences(of palette: PaletteRow) throws(StoreError) -> Set<PendingReference> {
    var marks: Set<PendingReference> = []
    let select = try database.prepare(
      "SELECT node, sequence, uuid, register FROM ahead WHERE palette = ?1"
    )
    try select.bind(palette.number, at: 1)
    try select.rows { row throws(StoreError) in
      let dot = Dot(
        NodeID(UInt64(bitPattern: row.int64(0))),
        UInt32(truncatingIfNeeded: row.int64(1))
      )
      let register = UInt16(exactly: row.int64(3)).map(Register.init(rawValue:))
      marks.insert(PendingReference(record: try row.recordID(2), dot: dot, register: register))
    }
    return marks
  }
}
