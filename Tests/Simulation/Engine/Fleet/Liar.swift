import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

/// Somebody who keeps the grammar of the protocol and says what is not so.
///
/// It knows the ids of all records, and of everybody of whom it has heard: a node id is a random number,
/// and nobody can claim one that was never told. What it may cause, it may cause in a palette of its own
/// alone; everybody else's must be as if it were not there.
final class Liar {
  /// The name of all liars.
  static let name = "liar"
  /// The palette that liars are let into.
  static let palette = Script.palette(1_000_000)

  let part: LiarPart
  /// The machine that stands for it.
  let index: Int
  /// The honest machine that it deals with.
  let victim: Int
  /// The library that it says to be.
  private(set) var library: RecordID
  var node: NodeID
  /// The secret of the join code, which as a hub it made itself.
  let code: [UInt8]
  let secret: [UInt8]
  /// The node ids of the library that it says to be, and is not.
  private var posesAs: Set<NodeID> = []
  /// True if it has redeemed a code.
  var isMember = false
  var wire: UInt64?
  var isGreeted = false
  var isInvited = false
  /// The changes of its palette that anybody held when it was sent away; nil for one that may stay.
  var sentAway: [NodeID: UInt32]?
  /// True if its victim has a backup of before it was sent away.
  var isInBackup = false
  /// The node ids that it was told of.
  private(set) var heard: Set<NodeID> = []
  /// The node ids that it had itself.
  private var former: Set<NodeID> = []
  private(set) var random: SeededRandom
  /// The changes that it made in palettes of others, which may have been refused.
  private var foreseen: [PaletteID: [Dot: [UInt8]]] = [:]
  /// Its own changes in its palette.
  private var newest: (sequence: UInt32, link: UInt64) = (0, 0)

  var url: String { Machine.url(index) }
  /// True if it connects; a hub waits to be dialed.
  var dials: Bool { part != .hub }

  /// The palette that the guest of two may look at.
  private static let viewed = Script.palette(0)

  /// The grant that an honest machine gave it, or got from it; another one may follow.
  var grant: Grant {
    switch part {
    case .viewer: Grant(.viewer)
    case .editor: Grant(.editor)
    case .guestEditor, .guestOfTwo, .hub: Grant(.editor, on: Self.palette)
    case .guestRelay: Grant(.relay, on: Self.palette)
    }
  }

  /// The grant of a second code.
  var further: Grant? { part == .guestOfTwo ? Grant(.viewer, on: Self.viewed) : nil }

  /// The secret of the second code.
  var furtherCode: [UInt8] { code.map { $0 &+ 101 } }

  /// The palettes of which it may hear; nil for all.
  var scope: Set<PaletteID>? {
    guard let palette = grant.palette else { return nil }
    return Set([palette, further?.palette].compactMap(\.self))
  }

  init(_ part: LiarPart, _ index: Int, victim: Int, random: SeededRandom) {
    self.part = part
    self.index = index
    self.victim = victim
    self.random = random
    library = RecordID(using: &self.random)
    node = NodeID(using: &self.random)
    code = (0..<32).map { [index] in UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
    secret = code.map { $0 &+ 51 }
  }

  /// Remembers the ids that a frame tells it.
  func hear(_ frame: Frame) {
    switch frame {
    case .hello(let hello): heard.formUnion([hello.node] + hello.otherNodes)
    case .welcome(let welcome): heard.insert(welcome.node)
    case .bindings(let bindings): heard.formUnion(bindings.map(\.node))
    case .frontier(_, let frontier, _, _, _): heard.formUnion(frontier.keys)
    case .changes(let palette, let node, _, let changes):
      heard.insert(node)
      for change in changes { hear(change, in: palette) }
    case .presence(let presence): heard.insert(presence.who.node)
    default: break
    }
  }

  /// A change names whose changes it saw.
  private func hear(_ bytes: [UInt8], in palette: PaletteID) {
    guard let change = try? Change(decoding: bytes, in: palette) else { return }
    let seen = change.writes.flatMap(\.saw) + change.covers + change.frontier
    heard.formUnion(seen.dots.map(\.node))
  }

  /// Returns whether it was told of a node id that is somebody else's: what it says of its own is
  /// true.
  func knows(_ other: NodeID) -> Bool {
    heard.contains(other) && other != node && !former.contains(other)
  }

  /// Returns whether a node id is, or was, its own.
  func wrote(_ other: NodeID) -> Bool { other == node || former.contains(other) }

  func lost(_ wire: UInt64) {
    guard self.wire == wire else { return }
    self.wire = nil
    isGreeted = false
  }

  func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

  func chance(_ probability: Double) -> Bool { random.chance(probability) }

  private func oneOf<Value>(_ values: [Value]) -> Value {
    values[Int(random.next() % UInt64(values.count))]
  }

  /// A hello that claims to be, or to have been, honest nodes, or somebody's library, and may show
  /// a code that was redeemed.
  func hello(_ nodes: [NodeID], _ letters: [FoundLetter], milliseconds: UInt64) -> Frame {
    former.insert(node)
    if chance(0.2) { (node, newest) = (NodeID(using: &random), (0, 0)) }
    let letter = letters.isEmpty || chance(0.5) ? nil : oneOf(letters)
    // A member that says another library than before is sent away.
    if let letter, !isMember { (library, posesAs) = (letter.library, letter.nodes) }
    let isThief = letter != nil && chance(0.4)
    // The second one is redeemed as often as it comes.
    let code = isMember ? further == nil ? [] : furtherCode : code
    return .hello(
      Hello(
        features: SyncProtocol.features,
        node: chance(0.2) ? oneOf(nodes + [node]) : node,
        library: library,
        name: Self.name,
        milliseconds: chance(0.5) ? milliseconds : oneOf([0, 1 << 47, .max]),
        secret: secret,
        code: isThief ? letter?.code ?? [] : code,
        otherNodes: chance(0.5) ? Array(nodes.prefix(Hello.otherNodesLimit)) : []
      )
    )
  }

  /// A welcome that may grant more than was agreed.
  func welcome(milliseconds: UInt64) -> Frame {
    .welcome(
      Welcome(
        version: 1,
        node: node,
        library: library,
        name: Self.name,
        grants: chance(0.7) ? [grant] : oneOf([[Grant(.relay)], [grant, Grant(.viewer)], []]),
        milliseconds: chance(0.5) ? milliseconds : oneOf([0, 1 << 47]),
        features: SyncProtocol.features
      )
    )
  }

  /// Invents lies: about palettes that others have, and the known sequences of their authors.
  func lies(about held: [PaletteID: Frontier]) -> [Frame] {
    let palette = chance(0.3) ? Self.palette : oneOf(Array(held.keys).sorted() + [Self.palette])
    let authors = (held[palette] ?? [:]).sorted { $0.key < $1.key }
    // What it writes under its own id as an editor would be no lie.
    let stranger = palette == Self.palette ? node : NodeID(0xBAD)
    let nobody = (key: stranger, value: StreamHead(sequence: 1, link: 0))
    let (author, head) = authors.isEmpty ? nobody : oneOf(authors)
    let last = head.sequence
    let sequence = oneOf([1, max(1, last), last &+ 1, UInt32.max - 1])
    let dot = Dot(author, max(1, sequence))
    // Who is taken for another library could write on in its name.
    if let (author, head) = authors.first(where: { posesAs.contains($0.key) }), chance(0.5) {
      let next = Dot(author, head.sequence &+ 1)
      let bytes = forged(next, palette, previous: head.link)
      return [.changes(palette, author, first: next.sequence, [bytes])]
    }
    switch random.next() % 18 {
    case 0, 1:
      return [.nack(palette, dot, code: oneOf(["fork", "malformed", "not-allowed"]), reason: "")]
    case 2: return [.links(palette, author, [Frame.Link(sequence: 1, link: 7)])]
    case 3, 4: return [claim(palette, held[palette] ?? [:])]
    case 5: return [.lacking([palette])]
    case 6:
      let frontier = frontier(held[palette] ?? [:])
      if chance(0.5) { return [.ack(palette, frontier)] }
      return [.acks([Frame.Held(palette: palette, frontier: frontier)])]
    case 7: return [presence(author, palette)]
    case 8: return [.ping(random.next()), .pong(random.next(), random.next() >> 18)]
    case 9: return [snapshot(palette, held[palette] ?? [:])]
    case 10, 11:
      // The next change in somebody's name fits what is there to the last bit.
      let next = Dot(author, authors.isEmpty ? 1 : last &+ 1)
      let bytes = forged(next, palette, previous: head.link)
      if chance(0.5) { return whole(next, palette, bytes) }
      return [.changes(palette, author, first: next.sequence, [bytes])]
    case 12: return further == nil || chance(0.5) ? own() : [intruding()]
    case 13: return [.bindings(authors.map { Frame.Binding(node: $0.key, library: library) })]
    case 14: return [.historyOf(palette, author, first: 1, last: .max - 1)]
    case 15: return [.linksOf(palette, author, Array(1...1_000)), .credit(.max)]
    case 16: return Array(repeating: .ping(1), count: chance(0.2) ? 1_200 : 3)
    default:
      return [
        answer(palette, author, 1...3), .summary(.zero), .goaway(retryAfterMilliseconds: .max),
      ]
    }
  }

  /// Answers a question for links or changes of an author: with something else each time.
  func answer(_ palette: PaletteID, _ author: NodeID, _ numbers: ClosedRange<UInt32>) -> Frame {
    let dot = Dot(author, numbers.lowerBound)
    return .history(
      OldHistory(
        palette: palette,
        node: author,
        last: numbers.upperBound,
        sinceMilliseconds: nil,
        changes: [forged(dot, palette)]
      )
    )
  }

  func links(_ palette: PaletteID, _ author: NodeID, _ numbers: [UInt32]) -> Frame {
    .links(palette, author, numbers.map { Frame.Link(sequence: $0, link: random.next()) })
  }

  func claim(_ palette: PaletteID, _ held: Frontier) -> Frame {
    let asks = chance(0.5)
    return .frontier(palette, frontier(held), .zero, asks: asks, isLast: chance(0.8))
  }

  private func frontier(_ held: Frontier) -> Frontier {
    var frontier: Frontier = [:]
    for (author, head) in held.sorted(by: { $0.key < $1.key }) where chance(0.7) {
      let last = head.sequence
      let sequence = oneOf([1, max(1, last), last &+ 3, UInt32.max - 1])
      let link = chance(0.5) ? head.link : random.next()
      frontier[author] = StreamHead(sequence: max(1, sequence), link: link)
    }
    return frontier
  }

  private func presence(_ author: NodeID, _ palette: PaletteID) -> Frame {
    .presence(
      Presence(
        who: Presence.Who(node: author, session: random.next() % 4),
        name: Self.name,
        milliseconds: oneOf([1, 1 << 47, .max]),
        palette: palette
      )
    )
  }

  /// A state in which nothing is left of what the others made.
  private func snapshot(_ palette: PaletteID, _ held: Frontier) -> Frame {
    let state = PaletteState(palette).snapshot
    let empty = Snapshot(
      frontier: held,
      dropped: chance(0.5) ? held.mapValues(\.sequence) : [:],
      highestWrite: state.highestWrite,
      ahead: state.ahead,
      rows: []
    )
    return .snapshot(palette, index: 0, isLast: true, Array(empty.encoded.prefix(48 * 1024)))
  }

  /// A palette that is said to be no more than one change.
  private func whole(_ dot: Dot, _ palette: PaletteID, _ bytes: [UInt8]) -> [Frame] {
    var changes = [OutgoingChange(dot: dot, bytes: ChangeBytes(bytes))][...]
    guard let rows = try? PackedChanges(first: &changes, payloadBytes: 1 << 14) else { return [] }
    let entry = WholePalettes.Entry(palette: palette, digest: .zero, rows: 1)
    return [.whole(WholePalettes(entries: [entry], rows: rows))]
  }

  /// A change in somebody's name.
  private func forged(_ dot: Dot, _ palette: PaletteID, previous: UInt64? = nil) -> [UInt8] {
    let edit = Edit.set(palette.record, [.name: RegisterValue(text: "forged")])
    return change(edit, dot, previous: previous ?? random.next())
  }

  private func change(_ edit: Edit, _ dot: Dot, previous: UInt64) -> [UInt8] {
    edit.change(
      dot: dot,
      stamp: Stamp(milliseconds: number(0...1 << 47), counter: 0),
      previous: previous,
      frontier: [:],
      state: RecordState(),
      proof: { _ in 0 }
    ).encoded
  }

  /// A change of its own where it may only look: nothing but its rights is wrong with it.
  private func intruding() -> Frame {
    let edit = Edit.add(RecordID(using: &random), [.name: RegisterValue(text: Self.name)])
    return .changes(
      Self.viewed,
      node,
      first: 1,
      [change(edit, Dot(node, 1), previous: 0)]
    )
  }

  /// A change of its own in its palette, which it may make.
  private func own() -> [Frame] {
    let dot = Dot(node, newest.sequence + 1)
    let edit = Edit.add(
      RecordID(using: &random),
      [
        .name: RegisterValue(text: Self.name), .place: RegisterValue(placeBytes: [9]),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
      ]
    )
    let bytes = change(edit, dot, previous: newest.link)
    newest = (dot.sequence, ChangeHash(of: bytes, in: Self.palette).link)
    return [.changes(Self.palette, node, first: dot.sequence, [bytes])]
  }

  /// A change of its own among those of others, who have not made yet what it says to have seen: the
  /// same again until it is taken, for what it says of itself is true.
  ///
  /// - Parameters:
  ///   - palette: A palette that it may edit.
  ///   - records: What is in it.
  ///   - held: How far it knows its authors.
  ///   - own: How far its own changes are held.
  ///   - time: When it is made.
  /// - Returns: The change with all that it claims, whose dot may be one that was made before.
  func foresee(
    _ palette: PaletteID,
    _ records: [RecordID],
    _ held: Frontier,
    own: StreamHead?,
    _ time: Int64
  ) -> [UInt8] {
    let dot = Dot(node, (own?.sequence ?? 0) + 1)
    if let known = foreseen[palette]?[dot] { return known }
    var (near, far) = ([SeenDot](), [SeenDot]())
    for (author, head) in held.sorted(by: { $0.key < $1.key }) where author != node {
      func claim(_ distance: UInt32) -> SeenDot {
        let proof = UInt32(truncatingIfNeeded: chance(0.5) ? random.next() : head.link >> 32)
        return SeenDot(
          Dot(author, min(head.sequence, Dot.lastSequence - 9) + distance),
          proof: proof
        )
      }
      near += (1...4).map(claim)
      far.append(claim(oneOf([1, 2, 5])))
    }
    let record = oneOf(records)
    let note = RegisterValue(text: "foreseen")
    var change = Change(
      dot: dot,
      stamp: Stamp(milliseconds: time, counter: 0),
      previous: own?.link ?? 0,
      record: record,
      kind: oneOf([.set, .set, .delete, .drop])
    )
    switch change.kind {
    case .delete where record != palette.record: change.covers = near
    case .drop:
      change.record = palette.record
      (change.covers, change.frontier) = (near, far)
    default:
      change.kind = .set
      change.writes = [.init(oneOf([.name, .note]), saw: near, value: note)]
    }
    foreseen[palette, default: [:]][dot] = change.encoded
    return change.encoded
  }
}
