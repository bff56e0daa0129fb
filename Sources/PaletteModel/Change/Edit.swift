/// What an author wants to change, before it is given a dot and told what it replaces.
public struct Edit: Hashable, Sendable {
  /// What the change will do.
  public let kind: ChangeKind
  /// The record that it is about.
  public let record: RecordID
  /// The registers to write, in ascending order.
  public let values: [Register: RegisterValue]

  private init(_ kind: ChangeKind, _ record: RecordID, _ values: [Register: RegisterValue] = [:]) {
    self.kind = kind
    self.record = record
    self.values = values
  }

  /// Adds a record with its first values.
  public static func add(_ record: RecordID, _ values: [Register: RegisterValue]) -> Edit {
    Edit(.add, record, values)
  }

  /// Writes registers of a record.
  public static func set(_ record: RecordID, _ values: [Register: RegisterValue]) -> Edit {
    Edit(.set, record, values)
  }

  /// Hides a record as it is known here.
  public static func delete(_ record: RecordID) -> Edit { Edit(.delete, record) }

  /// Brings a record back by writing one register again: its place, or a palette's name.
  public static func restore(_ record: RecordID, _ values: [Register: RegisterValue]) -> Edit {
    Edit(.restore, record, values)
  }

  /// Hides a palette with everything in it that is known here.
  public static func drop(_ palette: PaletteID) -> Edit { Edit(.drop, palette.record) }

  /// The change that carries out the edit.
  ///
  /// - Parameters:
  ///   - dot: The author's next dot.
  ///   - stamp: The author's clock.
  ///   - frontier: What the author holds; its own entry gives the link to its previous change.
  ///   - state: The live values of the record, all of which the change sees.
  /// - Returns: The change, not yet merged.
  package func change(
    dot: Dot,
    stamp: Stamp,
    frontier: Frontier,
    state: RecordState
  ) -> Change {
    Change(
      dot: dot,
      stamp: stamp,
      previous: frontier[dot.node]?.link ?? 0,
      record: record,
      kind: kind,
      writes: values.sorted { $0.key < $1.key }.map { register, value in
        Change.Write(register, saw: state.values(of: register).map(\.dot), value: value)
      },
      covers: kind.writesRegisters ? [] : state.dots,
      frontier: kind == .drop
        ? frontier.map { Dot($0.key, $0.value.sequence) }.sorted() : []
    )
  }
}

extension PaletteState {
  /// Makes the author's next change, merges it, and gives its bytes.
  public mutating func author(
    _ edit: Edit,
    by node: NodeID,
    at stamp: Stamp
  ) throws(Refusal) -> [UInt8] {
    let dot = Dot(node, (frontier[node]?.sequence ?? 0) + 1)
    let bytes = edit.change(
      dot: dot,
      stamp: stamp,
      frontier: frontier,
      state: records[edit.record] ?? RecordState()
    ).encoded
    try merge(bytes)
    return bytes
  }
}
