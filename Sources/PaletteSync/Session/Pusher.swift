import PaletteMerge
import PaletteModel

/// The pushing of changes that the peer lacks, within its credit and palette by palette.
struct Pusher: Sendable {
  private var progress = ProgressTable()
  /// Bytes of changes and snapshots that the peer still takes.
  private var credit: UInt64 = 0
  /// The number that was pushed since others had their turn.
  private var pushed: UInt64 = 0
  /// Palettes that the peer lacks and of which it was not told yet what we hold.
  private var unstated: Set<PaletteID> = []
  /// Palettes whose changes do not go into columns: the peer is to say what is wrong with them.
  private var unpackable: Set<PaletteID> = []
  /// True if more waits to be sent than the connection may hold.
  var isCongested = false

  /// True if the peer has or was sent everything.
  var isLive: Bool { progress.isLive }

  /// Returns whether the peer's frontier of a palette is awaited.
  func isComparing(_ palette: PaletteID) -> Bool {
    if case .comparing = progress[palette] { true } else { false }
  }

  /// Returns whether the log of a palette is being pushed.
  func isPushingLog(of palette: PaletteID) -> Bool {
    if case .pushing = progress[palette] { true } else { false }
  }

  /// Lets more bytes go to the peer.
  mutating func add(credit bytes: UInt64) { credit = min(credit &+ bytes, 1 << 40) }

  /// Waits for the peer's frontier of a palette.
  ///
  /// What is begun of a snapshot is finished, and the log follows from there.
  mutating func awaitFrontier(of palette: PaletteID) {
    switch progress[palette] {
    case .pushingSnapshot, .pushingPacked: break
    case .comparing, .pushing, nil: progress[palette] = .comparing
    }
  }

  /// Pushes what a palette's log holds beyond what the peer has, unless a snapshot is under way.
  mutating func pushLog(of palette: PaletteID, after held: Frontier) {
    switch progress[palette] {
    case .pushingSnapshot, .pushingPacked: break
    case .comparing, .pushing, nil: progress[palette] = .pushing(sent: held)
    }
  }

  /// Pushes all of a palette, of which the peer holds nothing and does not know what we hold.
  mutating func pushAll(of palette: PaletteID) {
    pushLog(of: palette, after: [:])
    unstated.insert(palette)
  }

  /// The peer has told how far it is with a palette, which is as far as we are.
  mutating func endComparing(_ palette: PaletteID) {
    if isComparing(palette) { progress[palette] = nil }
  }

  /// Pushes what was just committed here, one frame a change, or leaves it to the log.
  ///
  /// - Returns: Whether it was left to the log.
  mutating func push<Library: SyncLibrary>(
    committed batch: OutgoingBatch,
    in palette: PaletteID,
    _ forks: Forks,
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> Bool {
    guard progress[palette] == nil else {
      // What was just committed may be behind where the log was to be pushed from.
      if case .pushing(let sent)? = progress[palette] {
        progress[palette] = .pushing(sent: sent.before(batch.changes.lazy.map(\.dot)))
      }
      return false
    }
    let barred = Self.barred(batch.authors, in: palette, context.terms, forks, context.library)
    let pushed = batch.without(barred, in: palette)
    guard isCongested || pushed.byteCount > credit else {
      credit -= pushed.byteCount
      if !pushed.changes.isEmpty { context.actions.append(.sendShared(pushed.frames)) }
      return false
    }
    // A peer that is behind is served from the log, when it takes more.
    let held = try context.library.frontier(of: palette)
    progress[palette] = .pushing(sent: held.before(batch.changes.lazy.map(\.dot)))
    return true
  }

  /// Pushes from the log while the peer takes more.
  mutating func pump<Library: SyncLibrary>(
    _ forks: Forks,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    pushed = 0
    while !isCongested, credit > 0, let palette = progress.nextDue() {
      guard pushed < SyncProtocol.pushedBytes else {
        // What was packed can leave meanwhile.
        context.actions.append(.pushOn)
        return
      }
      switch progress[palette] {
      case .pushing(let sent):
        if try pushWhole(forks, &context) { continue }
        if unstated.remove(palette) != nil {
          try context.sendFrontier(of: palette, asks: false)
        }
        try pushLog(of: palette, after: sent, forks, &context)
      case .pushingSnapshot:
        try pushSnapshot(of: palette, &context)
      case .pushingPacked:
        try pushPacked(palette, &context)
      case .comparing, nil:
        break
      }
    }
  }

  /// Pushes all of the first palettes of which the peer holds nothing, as many as fit into a frame.
  ///
  /// - Returns: Whether there were any.
  private mutating func pushWhole<Library: SyncLibrary>(
    _ forks: Forks,
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> Bool {
    guard context.terms.packsPalettes else { return false }
    var packer = WholePacker()
    var packed: [PaletteID] = []
    while let palette = progress.nextDue(), progress[palette] == .pushing(sent: [:]),
      let changes = try wholeLog(of: palette, packer, context.terms, forks, context.library)
    {
      do throws(CBORError) {
        try packer.add(palette, changes.digest, changes.log)
      } catch {
        // Once more without it.
        unpackable.insert(palette)
        for palette in packed { progress[palette] = .pushing(sent: [:]) }
        return try pushWhole(forks, &context)
      }
      packed.append(palette)
      progress[palette] = nil
    }
    guard !packed.isEmpty else { return false }
    unstated.subtract(packed)
    send(Frame.whole(packer.finish()).encoded, cost: packer.byteCount, &context.actions)
    return true
  }

  /// All changes of a palette and its digest, where the peer may have them and there is room for them.
  private func wholeLog<Library: SyncLibrary>(
    of palette: PaletteID,
    _ packer: WholePacker,
    _ terms: Terms,
    _ forks: Forks,
    _ library: Library
  ) throws(Library.Failure) -> (log: [OutgoingChange], digest: Digest)? {
    let own = try library.frontier(of: palette)
    let isLong = own.changeCount > terms.payloadBytes / SyncProtocol.leastChangeBytes
    let forked = forks.authors(in: palette) ?? []
    guard !own.isEmpty, !isLong, forked.isEmpty, !unpackable.contains(palette),
      own.keys.allSatisfy({ terms.trust.letsOut(palette, isOwn: library.isOwn($0)) }),
      let log = try library.changes(of: palette, after: [:], byteLimit: terms.payloadBytes),
      Frontier().after(log).covers(own),
      packer.hasRoom(
        for: log.reduce(0) { $0 + $1.bytes.count },
        payloadBytes: terms.payloadBytes
      )
    else { return nil }
    return (log, try library.digest(of: palette))
  }

  private mutating func pushLog<Library: SyncLibrary>(
    of palette: PaletteID,
    after sent: Frontier,
    _ forks: Forks,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    let trust = context.trust
    let own = try context.library.frontier(of: palette)
    let sent = sent.merging(Self.withheld(own, in: palette, trust, context.library)) { $1 }
    guard trust.letsOutChanges(of: palette), !sent.covers(own) else {
      progress[palette] = nil
      return
    }
    let part = sent.isEmpty ? context.terms.creditBytes : SyncProtocol.pushedBytes
    let byteLimit = Int(min(credit, part))
    // A peer that is new takes the state first, unless the whole log is short; from those who may not
    // give state it takes the log, however long.
    let prefersState = sent.isEmpty && trust.letsOutState(of: palette)
    let isLong = prefersState && own.changeCount > byteLimit / SyncProtocol.leastChangeBytes
    var batch =
      try isLong ? nil : context.library.changes(of: palette, after: sent, byteLimit: byteLimit)
    // A damaged log may lack what its end is known to have: the state stands for it.
    if batch?.isEmpty == true { batch = nil }
    let reached = sent.after(batch ?? [])
    guard let batch, !prefersState || reached.covers(own) else {
      return try beginSnapshot(of: palette, &context)
    }
    let barred = Self.barred(own.keys, in: palette, context.terms, forks, context.library)
    let changes = barred.isEmpty ? batch : batch.filter { !barred.contains($0.dot.node) }
    push(changes, in: palette, context.terms, &context.actions)
    progress[palette] = reached.covers(own) ? nil : .pushing(sent: reached)
    // The peer compares digests when it holds all of this.
    if reached.covers(own), !changes.isEmpty {
      try context.sendFrontier(of: palette, asks: false)
    }
  }

  /// The frontier of others' changes there, if our role does not let them through.
  ///
  /// They are none to be looked for in the log, which may have been cut there.
  private static func withheld(
    _ own: Frontier,
    in palette: PaletteID,
    _ trust: Trust,
    _ library: some SyncLibrary
  ) -> Frontier {
    guard !trust.letsOut(palette, isOwn: false) else { return [:] }
    return own.filter { !library.isOwn($0.key) }
  }

  /// Those authors whose changes stay here: they are forked, or our role does not let them through.
  private static func barred(
    _ authors: some Sequence<NodeID>,
    in palette: PaletteID,
    _ terms: Terms,
    _ forks: Forks,
    _ library: some SyncLibrary
  ) -> Set<NodeID> {
    let forked = forks.authors(in: palette) ?? []
    return Set(
      authors.filter { author in
        forked.contains(author)
          || !terms.trust.letsOut(palette, isOwn: library.isOwn(author))
      }
    )
  }

  /// Pushes changes from the log, packed where the peer reads that.
  private mutating func push(
    _ changes: [OutgoingChange],
    in palette: PaletteID,
    _ terms: Terms,
    _ actions: inout Actions
  ) {
    var rest = changes[...]
    do throws(CBORError) {
      while terms.packsChanges, rest.count > 1 {
        let before = rest
        let packed = try PackedChanges(first: &rest, payloadBytes: terms.payloadBytes)
        let count = before.prefix(before.count - rest.count).reduce(0) { $0 + $1.bytes.count }
        send(Frame.packedChanges(palette, packed).encoded, cost: count, &actions)
      }
    } catch {
      // The peer is to say what is wrong with it.
    }
    for run in Self.runs(of: rest, upTo: terms.payloadBytes) {
      let first = run[run.startIndex].dot
      let bytes = run.map(\.bytes.array)
      send(Frame.changes(palette, first.node, first: first.sequence, bytes).encoded, &actions)
    }
  }

  /// Changes in order as consecutive changes of one author that fit into a frame.
  private static func runs(
    of changes: ArraySlice<OutgoingChange>,
    upTo payloadBytes: Int
  ) -> [ArraySlice<OutgoingChange>] {
    var runs: [ArraySlice<OutgoingChange>] = []
    var start = changes.startIndex
    var size = 0
    for index in changes.indices {
      let (dot, count) = (changes[index].dot, changes[index].bytes.count)
      if index > start {
        let last = changes[index - 1].dot
        let follows = last.node == dot.node && last.sequence + 1 == dot.sequence
        if !follows || size + count > payloadBytes {
          runs.append(changes[start..<index])
          start = index
          size = 0
        }
      }
      size += count + 3
    }
    if start < changes.endIndex { runs.append(changes[start...]) }
    return runs
  }

  private mutating func beginSnapshot<Library: SyncLibrary>(
    of palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard context.trust.letsOutState(of: palette),
      let outline = try context.library.outline(of: palette)
    else {
      context.actions.append(.withheld(palette))
      progress[palette] = nil
      return
    }
    progress[palette] =
      context.terms.packsSnapshots
      ? .pushingPacked(SnapshotPush(outline)) : .pushingSnapshot(PlainPush(outline))
  }

  /// Pushes the next part of a snapshot.
  private mutating func pushSnapshot<Library: SyncLibrary>(
    of palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard case .pushingSnapshot(var push)? = progress[palette] else { return }
    // Nothing else may refer to what shrinks, or all of it would be copied for every part.
    progress[palette] = .comparing
    guard
      let part = try push.nextPart(
        of: palette,
        payloadBytes: context.terms.payloadBytes,
        context.library
      )
    else {
      // A change was compacted away meanwhile: the state that is left is another one.
      return try context.sendFrontier(of: palette, asks: true)
    }
    send(part.encoded, &context.actions)
    progress[palette] =
      push.isAtEnd ? .pushing(sent: push.outline.frontier) : .pushingSnapshot(push)
  }

  /// Pushes the next part of a packed snapshot.
  private mutating func pushPacked<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard case .pushingPacked(var push)? = progress[palette] else { return }
    // Nothing else may refer to what grows, or all of it would be copied for every part.
    progress[palette] = .comparing
    guard
      let part = try push.nextPart(
        of: palette,
        payloadBytes: context.terms.payloadBytes,
        context.library
      )
    else {
      // A change was compacted away meanwhile: the state that is left is another one.
      return try context.sendFrontier(of: palette, asks: true)
    }
    send(Frame.packed(palette, part).encoded, &context.actions)
    progress[palette] =
      push.isAtEnd ? .pushing(sent: push.outline.frontier) : .pushingPacked(push)
  }

  /// Sends a frame that uses up credit, by its size where it costs nothing else.
  private mutating func send(_ frame: [UInt8], cost: Int? = nil, _ actions: inout Actions) {
    let cost = UInt64(cost ?? frame.count)
    // The last frame may overdraw the credit, so that a frame never has to be cut.
    credit -= min(credit, cost)
    pushed += cost
    actions.append(.send(frame))
  }
}
