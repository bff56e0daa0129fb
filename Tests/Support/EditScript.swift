public import PaletteMerge
public import PaletteModel

/// A fleet of nodes that edit one palette and pass changes on, as a seed has it.
public struct EditScript {
  /// Every change that was made, in an order in which each author's are in sequence.
  public private(set) var changes: [[UInt8]] = []
  /// The states of the nodes at the end, none of which need hold everything.
  public private(set) var nodes: [PaletteState]
  /// The palette.
  public let palette: PaletteID
  private var random: SeededRandom
  private var ids: [NodeID]
  /// The records that were added.
  public private(set) var records: [RecordID] = []

  /// Lets the fleet live for some steps.
  public init(seed: UInt64, steps: Int = 60) throws {
    random = SeededRandom(seed: seed)
    palette = PaletteID(RecordID(using: &random))
    ids = []
    nodes = []
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      ids.append(NodeID(using: &random))
      nodes.append(PaletteState(palette))
    }
    try write(.add(palette.record, [.name: RegisterValue(text: "Sea")]), at: 0)
    for _ in 0..<steps { try step() }
  }

  private mutating func step() throws {
    let node = nodes.indices.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: try receive(at: node)
    case 45..<50: ids[node] = NodeID(using: &random)
    case 50..<53: try write(.drop(palette), at: node)
    case 53..<55:
      try write(.restore(palette.record, [.name: RegisterValue(text: "Sea")]), at: node)
    case 55..<68:
      let record = RecordID(using: &random)
      records.append(record)
      try write(.add(record, [.name: text(), .color: color(), .place: place()]), at: node)
    default:
      guard let record = records.randomElement(using: &random) else { return }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try write(.set(record, [.name: text()]), at: node)
      case 1: try write(.set(record, [.color: color(), .note: text()]), at: node)
      case 2: try write(.set(record, [.place: place()]), at: node)
      case 3: try write(.set(record, [Register(rawValue: 40): text()]), at: node)
      case 4: try write(.restore(record, [.place: place()]), at: node)
      default: try write(.delete(record), at: node)
      }
    }
  }

  private mutating func write(_ edit: Edit, at node: Int) throws {
    // Clocks are wild: they have no say in what is live.
    let stamp = Stamp(milliseconds: Int64.random(in: 0..<1 << 20, using: &random))
    changes.append(try nodes[node].author(edit, by: ids[node], at: stamp))
  }

  /// Takes a few changes that another node holds, in sequence for each author.
  private mutating func receive(at node: Int) throws {
    guard let other = nodes.randomElement(using: &random) else { return }
    for bytes in changes.shuffled(using: &random) {
      let change = try Change(decoding: bytes, in: palette)
      let held = nodes[node].frontier[change.dot.node]?.sequence ?? 0
      guard other.frontier.holds(change.dot), change.dot.sequence == held + 1,
        random.chance(0.7)
      else { continue }
      try nodes[node].merge(bytes)
    }
  }

  private mutating func text() -> RegisterValue {
    RegisterValue(text: "n\(Int.random(in: 0..<4, using: &random))")
  }

  private mutating func color() -> RegisterValue {
    RegisterValue(color: Color(.srgb, Double(Int.random(in: 0..<4, using: &random)) / 255, 0, 0))
  }

  private mutating func place() -> RegisterValue {
    RegisterValue(placeBytes: [UInt8.random(in: 1..<250, using: &random)])
  }
}
