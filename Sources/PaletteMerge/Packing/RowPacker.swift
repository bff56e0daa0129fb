package import PaletteModel

/// Packs changes into columns, one after the other.
///
/// Nothing is lost: the bytes of every change can be put together again exactly, because a change
/// has only one encoding. A link is left out where it is that of the row before.
package struct RowPacker: Hashable, Sendable {
  /// The rows since the last part was taken.
  package private(set) var rows = PackedRows()
  /// The authors by number.
  package private(set) var authors: [NodeID]

  /// The number of each author; consulted only where there are more than eight.
  private var numbers: [NodeID: Int]
  private let takesAuthors: Bool
  private var records: [RecordID: Int] = [:]
  /// The change of the first row of each record.
  private var origins: [Dot] = []
  private var lastDot: Dot?
  private var lastStamp: UInt64 = 0
  private var lastPlace: [UInt8] = []
  /// The proofs of what the present row saw.
  private var proofs: [UInt32] = []

  /// The first row of a record.
  private struct Origin: Hashable {
    let number: UInt64
    let dot: Dot
  }

  /// At most how many bytes the rows take, with the authors where those travel along.
  package var byteCount: Int { rows.byteCount + (takesAuthors ? 9 * authors.count : 0) }

  /// Begins with authors whose numbers the reader knows.
  package init(authors: [NodeID]) {
    self.authors = authors
    numbers = Dictionary(zip(authors, 0...), uniquingKeysWith: { first, _ in first })
    takesAuthors = false
  }

  /// Begins without authors; each gets its number when it is first named.
  package init() {
    authors = []
    numbers = [:]
    takesAuthors = true
  }

  /// Begins with another palette: its rows take no record and no link from those before.
  package mutating func beginPalette() {
    (records, origins) = ([:], [])
    lastDot = nil
  }

  /// Hands out what was packed; the next rows make another part.
  package mutating func removeRows() -> PackedRows {
    defer { rows = PackedRows() }
    return rows
  }

  /// Packs a change.
  ///
  /// - Parameters:
  ///   - bytes: The change, which is held and therefore well-formed.
  ///   - dot: Its name.
  ///   - live: A bit for each packed register whose value is live; none where that is not told.
  ///   - isCovered: Whether a delete saw the change.
  ///   - unknown: Its live registers that packed rows do not know.
  /// - Throws: `CBORError` when the bytes are no change after all.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer,
    _ dot: Dot,
    live: UInt8 = 0,
    isCovered: Bool = false,
    unknown: [Register] = []
  ) throws(CBORError) {
    rows.count += 1
    var reader = CBORReader(bytes)
    // Two heads and the dot.
    let sequence = UInt64(dot.sequence)
    try reader.skip(bytes: 2 + CBORHead.count(of: dot.node.rawValue) + CBORHead.count(of: sequence))
    let stamp = try reader.readUnsigned()
    let previous = try reader.readEightBytes()
    let record = try reader.readRecordID()
    var shape = RowShape()
    shape.kind = UInt8(truncatingIfNeeded: try reader.readUnsigned())
    shape.live = live
    shape.isCovered = isCovered
    let origin = records[record].map {
      Origin(number: UInt64($0), dot: origins[$0])
    }
    shape.isKnown = origin != nil
    if let last = lastDot, last.node == dot.node, last.sequence + 1 == dot.sequence {
      shape.follows = true
    }
    let start = rows.numbers.count
    proofs.removeAll(keepingCapacity: true)
    guard unknown.isEmpty, shape.kind != ChangeKind.drop.rawValue,
      try addNumbers(&reader, dot, origin, &shape)
    else {
      rows.numbers.removeLast(rows.numbers.count - start)
      return addWhole(bytes, dot, shape, record, stamp, unknown)
    }
    if !shape.follows { rows.plain.append(eightBytes: previous) }
    shape.append(to: &rows.shapes)
    addHead(record, dot, stamp, origin)
    for proof in proofs { rows.plain.append(fourBytes: proof) }
    try addValues(&reader, shape.written)
  }

  /// Packs the position and what was seen; false for what has no place in the columns.
  private mutating func addNumbers(
    _ reader: inout CBORReader,
    _ dot: Dot,
    _ origin: Origin?,
    _ shape: inout RowShape
  ) throws(CBORError) -> Bool {
    if !shape.follows {
      guard let author = number(of: dot.node) else { return false }
      rows.numbers.append(number: author)
      rows.numbers.append(number: UInt64(dot.sequence))
    }
    guard shape.kind != ChangeKind.delete.rawValue else {
      return try addSeen(&reader, dot, origin?.dot) != nil
    }
    let start = rows.numbers.count
    shape.sawFirst = true
    for _ in 0..<(try reader.readMap()) {
      guard let number = UInt16(exactly: try reader.readUnsigned()),
        case let register = Register(rawValue: number), register.isPacked,
        let sawFirst = try addSeen(&reader, dot, origin?.dot)
      else { return false }
      shape.written |= register.bit
      if !sawFirst { shape.sawFirst = false }
    }
    if proofs.contains(where: { $0 != proofs[0] }) { shape.sawFirst = false }
    if shape.sawFirst {
      rows.numbers.removeLast(rows.numbers.count - start)
      proofs.removeLast(max(0, proofs.count - 1))
    }
    return true
  }

  /// Packs dots that were seen.
  ///
  /// - Returns: Whether they are just the first row's, or none where that row is this one; nil when
  ///   they have no place in the columns.
  private mutating func addSeen(
    _ reader: inout CBORReader,
    _ dot: Dot,
    _ first: Dot?
  ) throws(CBORError) -> Bool? {
    let count = try reader.readArray()
    var sawFirst = count == (first == nil ? 0 : 1)
    rows.numbers.append(number: UInt64(count))
    for _ in 0..<count {
      let seen = try reader.readSeenDot()
      if first != seen.dot { sawFirst = false }
      guard let proof = seen.proof else {
        guard seen.dot.sequence < dot.sequence else { return nil }
        rows.numbers.append(number: 0)
        rows.numbers.append(number: UInt64(dot.sequence - seen.dot.sequence))
        continue
      }
      guard let author = number(of: seen.dot.node) else { return nil }
      rows.numbers.append(number: author + 1)
      rows.numbers.append(number: UInt64(seen.dot.sequence))
      proofs.append(proof)
    }
    return sawFirst
  }

  /// The number of an author; nil where none can be given any more.
  private mutating func number(of node: NodeID) -> UInt64? {
    let found = authors.count <= 8 ? authors.firstIndex(of: node) : numbers[node]
    if let found { return UInt64(found) }
    guard takesAuthors else { return nil }
    authors.append(node)
    numbers[node] = authors.count - 1
    return UInt64(authors.count - 1)
  }

  private mutating func addHead(
    _ record: RecordID,
    _ dot: Dot,
    _ stamp: UInt64,
    _ origin: Origin?
  ) {
    rows.stamps.append(difference: Int64(bitPattern: stamp &- lastStamp))
    lastStamp = stamp
    lastDot = dot
    if let origin {
      rows.plain.append(number: origin.number)
    } else {
      rows.plain.append(eightBytes: record.high)
      rows.plain.append(eightBytes: record.low)
      addOrigin(of: record, dot)
    }
  }

  private mutating func addOrigin(of record: RecordID, _ dot: Dot) {
    records[record] = records.count
    origins.append(dot)
  }

  private mutating func addValues(
    _ reader: inout CBORReader,
    _ registers: UInt8
  ) throws(CBORError) {
    _ = try reader.readArray()
    for register in Register.packed where registers & register.bit != 0 {
      switch register {
      case .color: rows.plain.append(contentsOf: try reader.readItem())
      case .place: add(place: try reader.readBytes())
      default: rows.texts.append(contentsOf: try reader.readItem())
      }
    }
  }

  private mutating func add(place: UnsafeRawBufferPointer) {
    var shared = 0
    while shared < place.count, shared < lastPlace.count, place[shared] == lastPlace[shared] {
      shared += 1
    }
    rows.places.append(number: UInt64(shared))
    rows.places.append(number: UInt64(place.count - shared))
    rows.places.append(contentsOf: place[shared...])
    lastPlace.removeAll(keepingCapacity: true)
    lastPlace.append(contentsOf: place)
  }

  private mutating func addWhole(
    _ bytes: UnsafeRawBufferPointer,
    _ dot: Dot,
    _ shape: RowShape,
    _ record: RecordID,
    _ stamp: UInt64,
    _ unknown: [Register]
  ) {
    var whole = RowShape()
    whole.kind = RowShape.whole
    whole.isCovered = shape.isCovered
    whole.live = shape.live
    whole.append(to: &rows.shapes)
    rows.texts.append(number: UInt64(bytes.count))
    rows.texts.append(contentsOf: bytes)
    rows.texts.append(number: UInt64(unknown.count))
    for register in unknown { rows.texts.append(number: UInt64(register.rawValue)) }
    if records[record] == nil { addOrigin(of: record, dot) }
    // Whoever puts it together again looks its author up.
    _ = number(of: dot.node)
    lastStamp = stamp
    lastDot = dot
  }
}

extension RowPacker {
  /// Packs a change of which an outline tells.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer,
    _ row: SnapshotOutline.Row,
    unknown: [Register] = []
  ) throws(CBORError) {
    try add(bytes, row.dot, live: row.live, isCovered: row.isCovered, unknown: unknown)
  }
}
