public import PaletteModel

/// The change that an author wants, before it has a dot and marks on the values that it replaces.
public struct Edit: Hashable, Sendable {
  /// The effect that the change will have.
  public let kind: ChangeKind
  /// The record that it is about.
  public let record: RecordID
  /// The registers to write, in ascending order, with nothing seen yet.
  public let writes: [Change.Write]
  /// The state that its maker saw of the record, all of which it alters; nil for every value that
  /// is live here.
  public private(set) var seen: SeenValues?

  private init(_ kind: ChangeKind, _ record: RecordID, _ writes: [Change.Write] = []) {
    self.kind = kind
    self.record = record
    self.writes = writes
  }

  private init(
    _ kind: ChangeKind,
    _ record: RecordID,
    _ values: KeyValuePairs<Register, RegisterValue>
  ) {
    let writes = values.map { Change.Write($0.key, value: $0.value) }
    self.init(kind, record, writes.sorted { $0.register < $1.register })
    precondition(
      zip(self.writes, self.writes.dropFirst()).allSatisfy { $0.register < $1.register },
      "an edit writes a register once"
    )
  }

  /// Adds a record with its first values.
  public static func add(
    _ record: RecordID,
    _ values: KeyValuePairs<Register, RegisterValue>
  ) -> Edit {
    Edit(.add, record, values)
  }

  /// Adds a color at a place.
  public static func add(_ color: NamedColor, at place: Place) -> Edit {
    var writes: [Change.Write] = []
    writes.reserveCapacity(4)
    writes.append(Change.Write(.name, value: RegisterValue(text: color.name)))
    writes.append(Change.Write(.color, value: RegisterValue(color: color.color)))
    writes.append(Change.Write(.place, value: RegisterValue(placeBytes: place.bytes)))
    for index in Register.optionalIndexes {
      let register = Register(knownIndex: index)
      let text = color[text: register]
      if !text.isEmpty { writes.append(Change.Write(register, value: RegisterValue(text: text))) }
    }
    return Edit(.add, color.id, writes)
  }

  /// Adds a record with its first values, given in ascending order.
  package static func add(_ record: RecordID, writes: [Change.Write]) -> Edit {
    Edit(.add, record, writes)
  }

  /// Writes registers of a record.
  public static func set(
    _ record: RecordID,
    _ values: KeyValuePairs<Register, RegisterValue>
  ) -> Edit {
    Edit(.set, record, values)
  }

  /// Writes registers of a record, given in ascending order.
  package static func set(_ record: RecordID, writes: [Change.Write]) -> Edit {
    Edit(.set, record, writes)
  }

  /// Hides a record as it is known here.
  public static func delete(_ record: RecordID) -> Edit { Edit(.delete, record) }

  /// Brings a record back by writing one register again: its place, or a palette's name.
  public static func restore(
    _ record: RecordID,
    _ values: KeyValuePairs<Register, RegisterValue>
  ) -> Edit {
    Edit(.restore, record, values)
  }

  /// Hides a palette with everything in it that is known here.
  public static func drop(_ palette: PaletteID) -> Edit { Edit(.drop, palette.record) }

  /// The same edit by somebody who has seen these values and no others; nil is all that are live.
  ///
  /// What others wrote meanwhile stays beside what it writes.
  public func seeing(_ seen: SeenValues?) -> Edit {
    var edit = self
    edit.seen = seen
    return edit
  }

  /// The rest of the edit, when a change of its author has carried out a part of it.
  package func seeing(alsoOwn dot: Dot) -> Edit {
    var edit = self
    edit.seen?.insert(dot)
    return edit
  }

  /// The value that a register gets, if it is written.
  package func value(of register: Register) -> RegisterValue? {
    writes.first { $0.register == register }?.value
  }

  /// The change that carries out the edit.
  ///
  /// - Parameters:
  ///   - dot: The author's next dot.
  ///   - stamp: The author's clock.
  ///   - previous: The link of the author's previous change, zero when there is none.
  ///   - frontier: What the author holds; only a drop asks.
  ///   - state: The live values of the record, of which the change sees what the edit does.
  ///   - proof: Gives the first four bytes of the hash of a change with a live value.
  /// - Returns: The change, not yet merged.
  /// - Throws: What `proof` throws.
  package func change<Failure>(
    dot: Dot,
    stamp: Stamp,
    previous: UInt64,
    frontier: @autoclosure () -> Frontier,
    state: RecordState,
    proof: (Dot) throws(Failure) -> UInt32
  ) throws(Failure) -> Change {
    var change = Change(
      dot: dot,
      stamp: stamp,
      previous: previous,
      record: record,
      kind: kind,
      writes: writes
    )
    let state = state.limited(to: seen)
    if !kind.writesRegisters { change.covers = try change.seeing(state.dots, proof: proof) }
    if kind == .drop {
      change.frontier = frontier().sorted { $0.key < $1.key }.map { node, head in
        SeenDot(Dot(node, head.sequence), by: dot.node) { _ in head.proof }
      }
    }
    // Most records that are added have no live value, and the writes can stay shared.
    if !state.values.isEmpty {
      for index in change.writes.indices {
        let dots = state.dots(of: change.writes[index].register)
        change.writes[index].saw = try change.seeing(dots, proof: proof)
      }
    }
    return change
  }
}

extension Change {
  /// Dots as this change says to have seen them.
  package func seeing<Failure>(
    _ dots: [Dot],
    proof: (Dot) throws(Failure) -> UInt32
  ) throws(Failure) -> [SeenDot] {
    var seen: [SeenDot] = []
    seen.reserveCapacity(dots.count)
    for dot in dots { seen.append(try SeenDot(dot, by: self.dot.node, proof: proof)) }
    return seen
  }
}

extension PaletteState {
  /// Makes the author's next change, merges it, and gives its bytes.
  public mutating func author(
    _ edit: Edit,
    by node: NodeID,
    at stamp: Stamp
  ) throws(Refusal) -> [UInt8] {
    let head = frontier[node]
    let bytes = edit.change(
      dot: Dot(node, (head?.sequence ?? 0) + 1),
      stamp: stamp,
      previous: head?.link ?? 0,
      frontier: frontier,
      state: records[edit.record] ?? RecordState(),
      proof: { fact(of: $0).hash.proof }
    ).encoded
    try merge(bytes)
    return bytes
  }
}
