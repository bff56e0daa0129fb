import PaletteMerge
public import PaletteModel

extension EditScript {
  /// Whoever marks changes of others that there are not.
  public static let foreseer = NodeID(0xF0E5_EE12)

  /// The changes of an editor whose marks are true, false, and of changes that nobody has made yet, with
  /// several proofs for one dot.
  ///
  /// - Parameters:
  ///   - seed: What they are.
  ///   - dropsFalsely: Whether drops also say what is false of changes that were made; where such a change
  ///     was compacted away, drops are believed.
  /// - Returns: The changes, in sequence.
  /// - Throws: `MalformedChange` when the script's own changes are none.
  public func foreseen(seed: UInt64, dropsFalsely: Bool) throws -> [[UInt8]] {
    var foreseer = try Foreseer(self, seed: seed, dropsFalsely: dropsFalsely)
    return (0..<12).map { _ in foreseer.next() }
  }
}

private struct Foreseer {
  private var random: SeededRandom
  private let palette: PaletteID
  private let dropsFalsely: Bool
  private let made: [(dot: Dot, record: RecordID, proof: UInt32)]
  private let last: [Dot]
  private var head = StreamHead(sequence: 0, link: 0)

  init(_ script: EditScript, seed: UInt64, dropsFalsely: Bool) throws {
    random = SeededRandom(seed: seed)
    palette = script.palette
    self.dropsFalsely = dropsFalsely
    made = try script.changes.map { bytes in
      let change = try Change(decoding: bytes, in: script.palette)
      return (change.dot, change.record, ChangeHash(of: bytes, in: script.palette).proof)
    }
    var last: [NodeID: UInt32] = [:]
    last.join(made.map(\.dot))
    self.last = last.map { Dot($0.key, $0.value) }.sorted()
  }

  mutating func next() -> [UInt8] {
    let target = made.randomElement(using: &random) ?? (Dot(NodeID(1), 1), palette.record, 0)
    var change = Change(
      dot: Dot(EditScript.foreseer, head.sequence + 1),
      stamp: Stamp(milliseconds: Int64.random(in: 0..<1 << 20, using: &random)),
      previous: head.link,
      record: target.record,
      kind: .set
    )
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      change.record = palette.record
      change.kind = .drop
      change.covers = marks(about: palette.record)
      var ends: [NodeID: SeenDot] = [:]
      for end in marks(about: nil, falsely: dropsFalsely) { ends[end.dot.node] = end }
      if head.sequence > 0 {
        ends[EditScript.foreseer] = SeenDot(Dot(EditScript.foreseer, head.sequence))
      }
      change.frontier = ends.values.sorted { $0.dot < $1.dot }
    case 1...2 where target.record != palette.record:
      change.kind = .delete
      change.covers = marks(about: target.record)
    default:
      let register = [Register.name, .color, .note].randomElement(using: &random) ?? .name
      let value =
        register == .color
        ? RegisterValue(color: Color(.srgb, 1, 0, 0)) : RegisterValue(text: "foreseen")
      change.writes = [.init(register, saw: marks(about: target.record), value: value)]
    }
    head = StreamHead(
      sequence: change.dot.sequence,
      link: ChangeHash(of: change.encoded, in: palette).link
    )
    return change.encoded
  }

  /// Dots of others, mostly of changes about a record, each with a proof that fits or not.
  private mutating func marks(about record: RecordID?, falsely: Bool = true) -> [SeenDot] {
    var marks: [Dot: SeenDot] = [:]
    let near = made.filter { record == nil || $0.record == record }
    for (dot, _, proof) in near where random.chance(0.4) {
      let isTrue = !falsely || random.chance(0.5)
      marks[dot] = SeenDot(dot, proof: isTrue ? proof : proof ^ 1)
    }
    for end in last where random.chance(0.3) {
      let dot = Dot(end.node, end.sequence + .random(in: 1...3, using: &random))
      marks[dot] = SeenDot(dot, proof: .random(in: 0...1, using: &random))
    }
    return marks.values.sorted { $0.dot < $1.dot }
  }
}
