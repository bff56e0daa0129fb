public import PaletteModel

/// One durable edit: an envelope, which merging needs, and a body, which holds the values.
public struct Change: Hashable, Sendable {
  /// The name of the change.
  public var dot: Dot
  /// The author's clock.
  public var stamp: Stamp
  /// The link of the author's previous change in the palette, zero for the first.
  public var previous: UInt64
  /// The record that the change is about.
  public var record: RecordID
  /// The effect of the change.
  public var kind: ChangeKind
  /// The registers written, in ascending order; empty for `delete` and `drop`.
  public var writes: [Write]
  /// The dots covered, in ascending order; empty except for `delete` and `drop`.
  public var covers: [SeenDot]
  /// For `drop`, what its author held, in ascending order of nodes.
  public var frontier: [SeenDot]

  /// The write of one register.
  public struct Write: Hashable, Sendable {
    /// The register.
    public var register: Register
    /// The dots of all live values that the write replaces, in ascending order.
    public var saw: [SeenDot]
    /// The value written.
    public var value: RegisterValue

    /// Creates a write.
    public init(_ register: Register, saw: [SeenDot] = [], value: RegisterValue) {
      self.register = register
      self.saw = saw
      self.value = value
    }
  }

  /// Creates a change from parts that are already in order.
  public init(
    dot: Dot,
    stamp: Stamp,
    previous: UInt64,
    record: RecordID,
    kind: ChangeKind,
    writes: [Write] = [],
    covers: [SeenDot] = [],
    frontier: [SeenDot] = []
  ) {
    self.dot = dot
    self.stamp = stamp
    self.previous = previous
    self.record = record
    self.kind = kind
    self.writes = writes
    self.covers = covers
    self.frontier = frontier
  }

  /// The most bytes that one dot takes in a change: its head, a node id, a sequence number and a proof.
  private static let dotBytes = 1 + CBORHead.longest + 5 + 1 + SeenDot.proofBytes

  /// A change that does a part of what this one is to do, and fits; nil where nothing can be taken
  /// from it.
  ///
  /// It writes the register of which most was seen, seeing as much as fits. So when it is merged, the
  /// edit has less to see. A delete covers, and a drop hides, as many as fit: what they cover joins.
  package var part: Change? {
    var part = self
    part.covers = []
    part.frontier = []
    if kind.writesRegisters {
      // One dot fewer is seen where this change's own takes the place of two.
      guard var write = writes.max(by: { $0.saw.count < $1.saw.count }), write.saw.count > 1 else {
        return nil
      }
      let saw = write.saw
      write.saw = []
      part.kind = .set
      part.writes = [write]
      guard part.room > 1 else { return nil }
      part.writes[0].saw = Array(saw.prefix(part.room))
      return part
    }
    let room = part.room
    part.covers = Array(covers.prefix(room))
    part.frontier = Array(frontier.prefix(room - part.covers.count))
    return part
  }

  /// The number of dots the change has room for beside what it holds.
  private var room: Int {
    (ChangeLimits.changeBytes - encoded.count - 2 * CBORHead.longest) / Self.dotBytes
  }

  /// The bytes of the change, as its author's node stores and sends them.
  public var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: 96)
    encode(into: &writer)
    return writer.bytes
  }

  /// Writes the bytes of the change after what the writer holds.
  package func encode(into writer: inout CBORWriter) {
    writer.writeHead(dot, stamp, previous, record, kind)
    switch kind {
    case .add, .set, .restore:
      writer.writeRegisters(writes)
    case .delete:
      writer.write(covers)
    case .drop:
      writer.write(array: 2)
      writer.write(covers)
      writer.write(map: frontier.count)
      for seen in frontier {
        writer.write(unsigned: seen.dot.node.rawValue)
        if seen.proof != nil { writer.write(array: 2) }
        writer.write(unsigned: UInt64(seen.dot.sequence))
        if let proof = seen.proof { writer.write(fourBytes: proof) }
      }
    }
    writer.writeBody(writes)
  }

  /// Reads the bytes of a change in a palette.
  ///
  /// - Throws: `MalformedChange` when the bytes are not the one encoding of a change that keeps the
  ///   limits of `ChangeLimits`.
  public init(decoding bytes: [UInt8], in palette: PaletteID) throws(MalformedChange) {
    do {
      self = try bytes.withUnsafeBytes { try Change(decoding: $0, in: palette) }
    } catch let error as MalformedChange {
      throw error
    } catch {
      throw MalformedChange("\(error)")
    }
  }

  /// Reads the bytes of a change in place.
  package init(
    decoding buffer: UnsafeRawBufferPointer,
    in palette: PaletteID
  ) throws(MalformedChange) {
    guard buffer.count <= ChangeLimits.changeBytes else {
      throw MalformedChange("a change may have \(ChangeLimits.changeBytes) bytes")
    }
    var reader = CBORReader(buffer)
    do {
      self = try reader.readEnvelope()
      try reader.readBody(into: &self)
    } catch {
      throw MalformedChange("not the deterministic CBOR of a change: \(error)")
    }
    guard reader.isAtEnd else { throw MalformedChange("bytes follow the change") }
    try validate(in: palette)
  }

  private func validate(in palette: PaletteID) throws(MalformedChange) {
    guard (kind == .drop) == (record == palette.record) || kind.writesRegisters else {
      throw MalformedChange("drop is for the palette, delete for its colors")
    }
    guard writes.isEmpty != kind.writesRegisters else {
      throw MalformedChange("no register is written")
    }
    for write in writes { try validate(write.saw) }
    try validate(covers)
    for seen in frontier { try validate(seen) }
    for write in writes {
      try write.value.withEncoded { (item) throws(MalformedChange) in
        try write.register.check(item)
      }
    }
  }

  /// Dots are in order, each once, and none of them lies in the author's own future.
  private func validate(_ dots: [SeenDot]) throws(MalformedChange) {
    for (index, seen) in dots.enumerated() {
      guard index == 0 || dots[index - 1].dot < seen.dot else {
        throw MalformedChange("dots are out of order")
      }
      guard seen.dot.node != dot.node || seen.dot.sequence < dot.sequence else {
        throw MalformedChange("a change cannot have seen itself or a later one")
      }
      try validate(seen)
    }
  }

  /// Dots of others have a proof, and own dots have none.
  private func validate(_ seen: SeenDot) throws(MalformedChange) {
    guard (seen.proof == nil) == (seen.dot.node == dot.node) else {
      throw MalformedChange(
        "a dot that was seen needs a proof exactly where it is another author's"
      )
    }
  }
}

extension CBORWriter {
  mutating func writeHead(
    _ dot: Dot,
    _ stamp: Stamp,
    _ previous: UInt64,
    _ record: RecordID,
    _ kind: ChangeKind
  ) {
    write(array: 2)
    write(array: 7)
    write(unsigned: dot.node.rawValue)
    write(unsigned: UInt64(dot.sequence))
    write(unsigned: stamp.rawValue)
    write(eightBytes: previous)
    write(record)
    write(unsigned: UInt64(kind.rawValue))
  }

  mutating func writeRegisters(_ writes: [Change.Write]) {
    write(map: writes.count)
    for index in writes.indices {
      write(unsigned: UInt64(writes[index].register.rawValue))
      write(writes[index].saw)
    }
  }

  mutating func writeBody(_ writes: [Change.Write]) {
    write(array: writes.count)
    for index in writes.indices { writes[index].value.withEncoded { append(encoded: $0) } }
  }

  mutating func write(_ dots: [SeenDot]) {
    write(array: dots.count)
    for dot in dots { write(dot) }
  }

  mutating func write(_ seen: SeenDot) {
    write(array: seen.proof == nil ? 2 : 3)
    write(unsigned: seen.dot.node.rawValue)
    write(unsigned: UInt64(seen.dot.sequence))
    if let proof = seen.proof { write(fourBytes: proof) }
  }
}

extension Register {
  /// Checks that an item of deterministic CBOR may be the register's value.
  func check(_ item: UnsafeRawBufferPointer) throws(MalformedChange) {
    switch self {
    case .name, .note:
      guard let text = RegisterValue.content(of: item, major: 3) else {
        throw MalformedChange("\(self) is no text")
      }
      guard text.count <= ChangeLimits.textBytes else {
        throw MalformedChange("\(self) is over \(ChangeLimits.textBytes) bytes")
      }
      guard !ControlCharacters.areIn(text, allowingNewlines: self == .note) else {
        throw MalformedChange("\(self) has a control character")
      }
    case .place:
      guard let place = RegisterValue.content(of: item, major: 2) else {
        throw MalformedChange("place is no byte string")
      }
      guard (1...ChangeLimits.placeBytes).contains(place.count) else {
        throw MalformedChange("place is empty or over \(ChangeLimits.placeBytes) bytes")
      }
    case .color:
      guard Color(encoded: item) != nil else { throw MalformedChange("color is no color") }
    default:
      break
    }
  }
}

extension CBORReader {
  /// The next number, which has to be a sequence number.
  package mutating func readSequence() throws(CBORError) -> UInt32 {
    guard let sequence = Dot.sequence(try readUnsigned()) else { throw .unexpectedType }
    return sequence
  }

  /// The next dot that was seen.
  mutating func readSeenDot() throws(CBORError) -> SeenDot {
    let count = try readArray()
    guard count == 2 || count == 3 else { throw .unexpectedType }
    let dot = Dot(NodeID(try readUnsigned()), try readSequence())
    return SeenDot(dot, proof: count == 3 ? try readFourBytes() : nil)
  }

  /// The next entry of a drop's frontier.
  mutating func readFrontierEntry() throws(CBORError) -> SeenDot {
    let node = NodeID(try readUnsigned())
    guard try peekMajorType() == 4 else { return SeenDot(Dot(node, try readSequence())) }
    guard try readArray() == 2 else { throw .unexpectedType }
    return SeenDot(Dot(node, try readSequence()), proof: try readFourBytes())
  }

  fileprivate mutating func readEnvelope() throws(CBORError) -> Change {
    guard try readArray() == 2, try readArray() == 7 else { throw .unexpectedType }
    let node = NodeID(try readUnsigned())
    var change = Change(
      dot: Dot(node, try readSequence()),
      stamp: Stamp(rawValue: try readUnsigned()),
      previous: try readEightBytes(),
      record: try readRecordID(),
      kind: try readKind()
    )
    switch change.kind {
    case .add, .set, .restore:
      let count = try readMap()
      // A write needs more bytes than the map's entry; few changes write more than three registers.
      change.writes.reserveCapacity(min(count, 4))
      let empty = RegisterValue(encoded: [])
      for _ in 0..<count {
        guard let number = UInt16(exactly: try readUnsigned()) else { throw .unexpectedType }
        let register = Register(rawValue: number)
        if let last = change.writes.last, last.register >= register { throw .notDeterministic }
        change.writes.append(Change.Write(register, saw: try readDots(), value: empty))
      }
    case .delete:
      change.covers = try readDots()
    case .drop:
      guard try readArray() == 2 else { throw .unexpectedType }
      change.covers = try readDots()
      for _ in 0..<(try readMap()) {
        let held = try readFrontierEntry()
        if let last = change.frontier.last, last.dot.node >= held.dot.node {
          throw .notDeterministic
        }
        change.frontier.append(held)
      }
    }
    return change
  }

  fileprivate mutating func readBody(into change: inout Change) throws(CBORError) {
    guard try readArray() == change.writes.count else { throw .unexpectedType }
    for index in change.writes.indices {
      change.writes[index].value = RegisterValue(encoded: try readItem())
    }
  }

  private mutating func readKind() throws(CBORError) -> ChangeKind {
    guard let number = UInt8(exactly: try readUnsigned()), let kind = ChangeKind(rawValue: number)
    else { throw .unexpectedType }
    return kind
  }

  private mutating func readDots() throws(CBORError) -> [SeenDot] {
    let count = try readArray()
    guard count > 0 else { return [] }
    var dots: [SeenDot] = []
    dots.reserveCapacity(min(count, 16))
    for _ in 0..<count { dots.append(try readSeenDot()) }
    return dots
  }
}
