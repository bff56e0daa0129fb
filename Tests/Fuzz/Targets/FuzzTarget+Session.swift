import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

extension FuzzTarget {
  static let session = FuzzTarget(
    name: "session",
    summary: "a whole connection with a stranger",
    lengthLimit: 4096,
    seeds: {
      let frames = try examples()
      let greetings = frames.prefix(2).map(\.encoded)
      // What is not expected after the greeting ends the connection, with all that would follow.
      let others = frames.filter { $0.isForWhoeverWasGreeted }.map(\.encoded)
      var seeds: [[UInt8]] = []
      for start in [0, 1, 2, 3, 4, 0x84, 0x85] as [UInt8] {
        let whole = try wholeConversation(isFilled: start & 0x80 != 0)
        for greeting in greetings {
          for rest in [others, try conversation(), whole] {
            seeds.append([start] + .joining([greeting] + rest))
          }
        }
      }
      return seeds
    },
    check: { bytes in
      guard let start = bytes.first else { return }
      var connection = Connection(start)
      try connection.run(Array(bytes.dropFirst()).chunks)
    }
  )

  /// What a peer that lacks nothing but has changes of its own would say.
  static func conversation() throws -> [[UInt8]] {
    let (state, changes) = try Examples.state()
    let palette = Examples.palette
    var byAuthor: [NodeID: [[UInt8]]] = [:]
    for change in changes {
      byAuthor[try Change(decoding: change, in: palette).dot.node, default: []].append(change)
    }
    let parts = state.snapshot.encoded
    var frames: [Frame] = [
      .credit(1 << 20), .summary(state.digest),
      .frontier(palette, state.frontier, state.digest, asks: true, isLast: true),
    ]
    for (node, bytes) in byAuthor.sorted(by: { $0.key < $1.key }) {
      for (index, change) in bytes.enumerated() {
        frames.append(.changes(palette, node, first: UInt32(index + 1), [change]))
      }
    }
    for (index, start) in stride(from: 0, to: parts.count, by: 180).enumerated() {
      let end = min(start + 180, parts.count)
      let part = Array(parts[start..<end])
      frames.append(.snapshot(palette, index: UInt64(index), isLast: end == parts.count, part))
    }
    return (frames + [.ack(palette, state.frontier), .bye]).map(\.encoded)
  }
}

extension FuzzTarget {
  /// What a peer says that sends whole palettes, lacks one, and acknowledges several in a frame.
  static func wholeConversation(isFilled: Bool) throws -> [[UInt8]] {
    let state = try Examples.state().state
    let palette = Examples.palette
    let entry = Frame.Entry(palette: palette, digest: state.digest)
    let some = Frame.Entry(palette: palette, digest: .zero)
    // Equal digests end the comparison of whoever was dialed.
    let frames: [Frame] = [
      .credit(1 << 20), .summary(isFilled ? [entry].digest : .zero),
      .palettes(buckets: [palette.bucket], entries: [some], isLast: true),
      .lacking([palette]), .whole(try Examples.wholePalettes(changes: 2)),
      .acks([Frame.Held(palette: palette, frontier: state.frontier)]), .bye,
    ]
    return frames.map(\.encoded)
  }
}

extension Frame {
  /// Whether it does not end a connection whose greeting is over, whatever it says.
  fileprivate var isForWhoeverWasGreeted: Bool {
    switch self {
    case .hello, .welcome, .refuse, .challenge, .proof, .goaway, .bye: false
    default: true
    }
  }
}

/// One end of a connection whose other end says what the input says.
private struct Connection {
  private var session: SyncSession
  private let admitted: GrantedAccess
  private let trust: Trust
  private let library = ToyLibrary()
  private var isClosed = false

  /// The first byte chooses the side, and what the peer may do.
  init(_ start: UInt8) {
    let role = Role.allCases[Int(start >> 1) % Role.allCases.count]
    let isScoped = start & 0x40 != 0
    let grants = [Grant(role, on: isScoped ? Examples.palette : nil)]
    admitted = GrantedAccess(grants: grants, nodes: [NodeID(2)])
    trust = .member(grants, nodes: [NodeID(2)])
    let credentials = SyncSession.Credentials(secret: [1], grants: grants)
    session = SyncSession(
      start & 1 == 1 ? .dialer(credentials) : .acceptor,
      node: NodeID(9),
      library: RecordID(high: 9, low: 9)
    )
    if start & 0x80 != 0 { library.fill() }
  }

  mutating func run(_ frames: [[UInt8]]) throws {
    try handle(.opened)
    for frame in frames { try handle(.received(frame)) }
    try handle(.pingDue)
    try handle(.draining(retryAfterMilliseconds: 5))
  }

  private mutating func handle(_ event: SyncEvent) throws {
    let actions = session.handle(event, library: library, milliseconds: 1000)
    try ensure(actions.isEmpty || !isClosed, "it acts after its end: \(actions)")
    for action in actions { try carryOut(action) }
  }

  private mutating func carryOut(_ action: SyncAction) throws {
    switch action {
    case .sendShared(let frames):
      for frame in frames.frames { try carryOut(.send(frame)) }
    case .send(let bytes):
      try ensure(!isClosed, "it speaks after its end")
      _ = try Frame(decoding: bytes)
    case .close: isClosed = true
    case .findSecret:
      try handle(.found(SecretHash(of: [1]), nonce: [UInt8](repeating: 1, count: 32), address: ""))
    case .authenticate: try handle(.accepted(admitted))
    case .merge(let arrived):
      let isAccepting = session.side == .acceptor
      for part in arrived {
        for change in part.changes where isAccepting {
          let mayCome = trust.letsIn(changesBy: change.dot.node, in: part.palette)
          try ensure(mayCome, "it pushes what it may not")
        }
        try ensure(session.trust.scope.covers(part.palette), "it pushes beyond its scope")
      }
      try handle(
        .merged(
          arrived.map {
            MergedChanges(palette: $0.palette, results: library.merge($0.changes, $0.palette))
          }
        )
      )
    case .pushOn: try handle(.pushDue)
    case .mergeSnapshot(let palette, let snapshot):
      let isAccepting = session.side == .acceptor
      let mayCome = !isAccepting || trust.letsInState(of: palette)
      try ensure(mayCome, "an editor pushes a snapshot")
      try handle(
        .mergedSnapshot(
          palette,
          library.merge(snapshot, palette).map { SnapshotRefusal($0, at: nil) }
        )
      )
    case .mergeStaged(let palette, let staged):
      let isAccepting = session.side == .acceptor
      let mayCome = !isAccepting || trust.letsInState(of: palette)
      try ensure(mayCome, "an editor pushes a snapshot")
      try handle(
        .mergedSnapshot(
          palette,
          library.merge(Snapshot(staged), palette).map { SnapshotRefusal($0, at: nil) }
        )
      )
    default: break
    }
  }
}

/// A library of pure states.
private final class ToyLibrary: SyncLibrary {
  private var states: [PaletteID: PaletteState] = [:]

  func fill() {
    states[Examples.palette] = try? Examples.state().state
  }

  func palettes(in scope: Scope) -> [Frame.Entry] {
    states.filter { scope.covers($0.key) }.map {
      Frame.Entry(palette: $0.key, digest: $0.value.digest)
    }
  }

  func frontier(of palette: PaletteID) -> Frontier { states[palette]?.frontier ?? [:] }
  func digest(of palette: PaletteID) -> Digest { states[palette]?.digest ?? .zero }

  func link(of dot: Dot, in palette: PaletteID) -> UInt64? {
    states[palette]?.log[dot].map { ChangeHash(of: $0, in: palette).link }
  }

  func changes(of palette: PaletteID, after frontier: Frontier, byteLimit: Int) -> [OutgoingChange]?
  {
    let lacking = (states[palette]?.log ?? [:]).filter { !frontier.holds($0.key) }
    return lacking.sorted { $0.key < $1.key }.prefix(max(1, byteLimit / 200)).map { dot, bytes in
      OutgoingChange(dot: dot, bytes: ChangeBytes(bytes))
    }
  }

  func outline(of palette: PaletteID) -> SnapshotOutline? {
    try? states[palette]?.snapshot.outline(in: palette)
  }

  func lend(
    _ rows: ArraySlice<SnapshotOutline.Row>,
    of palette: PaletteID,
    to body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    for row in rows {
      guard let bytes = states[palette]?.log[row.dot] else { return false }
      guard bytes.withUnsafeBytes(body) else { return true }
    }
    return true
  }

  func isOwn(_ node: NodeID) -> Bool { node == NodeID(9) }

  func oldHistory(
    of palette: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) -> OldHistory {
    let log = (states[palette]?.log ?? [:]).sorted { $0.key < $1.key }
    return OldHistory(
      palette: palette,
      node: node,
      last: numbers.upperBound,
      sinceMilliseconds: nil,
      changes: log.filter { $0.key.node == node && numbers.contains($0.key.sequence) }.map(\.value)
    )
  }

  func merge(_ changes: [ArrivedChange], _ palette: PaletteID) -> [MergeResult] {
    changes.map { change in
      var result = MergeResult(dot: change.dot)
      do throws(Refusal) {
        try states[palette, default: PaletteState(palette)].merge(change.bytes.array)
      } catch {
        result.refusal = error
      }
      return result
    }
  }

  func merge(_ snapshot: Snapshot, _ palette: PaletteID) -> Refusal? {
    do throws(Refusal) {
      try states[palette, default: PaletteState(palette)].merge(snapshot)
      return nil
    } catch {
      return error
    }
  }
}
