package import PaletteMerge
internal import PaletteModel

/// The progress of two sides with finding out which palettes differ.
struct Comparison: Sendable {
  /// The outcome of a comparison of digests.
  struct Outcome {
    /// The palettes that differ, in order, for the dialer to ask for.
    var differing: [PaletteID] = []
    /// Those of which the peer holds nothing, so that there is nothing to ask.
    var lacked: [PaletteID] = []
    /// Palettes that changed here meanwhile, with what the peer holds of them.
    var changed: [PaletteID: Frontier] = [:]
  }

  /// The digest that we sent; both sides compare the two that were sent, so they agree.
  private var ownSummary = Digest.zero
  /// The peer's palettes in buckets that differ, as far as they came.
  private var entries: [Frame.Entry] = []
  /// Palettes that changed here since our digests were sent, with what was held before.
  private var changed: [PaletteID: Frontier] = [:]
  /// The palettes that the peer is still to be asked for.
  private var asks = FrontierAsks()
  /// True if we know which palettes differ.
  private(set) var isDone = false

  /// About how many bytes are kept of what the peer said.
  var byteCount: Int { 36 * entries.count }

  /// Sends the digest of all palettes.
  mutating func begin<Library: SyncLibrary>(
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    ownSummary = try context.library.digest(in: context.scope)
    context.actions.send(.summary(ownSummary))
  }

  /// Remembers what was held of a palette before changes that came while digests are compared.
  mutating func remember<Library: SyncLibrary>(
    _ palette: PaletteID,
    before changes: [OutgoingChange],
    _ library: Library
  ) throws(Library.Failure) {
    var held = changed[palette]
    if held == nil { held = try library.frontier(of: palette) }
    changed[palette] = held?.before(changes.lazy.map(\.dot))
  }

  /// Marks a palette as changed from its beginning, so that all of it is pushed after the comparison.
  ///
  /// A lower frontier than the true one only costs some repetition.
  mutating func rememberNothing(of palette: PaletteID) { changed[palette] = [:] }

  /// Compares the digest of all palettes.
  ///
  /// - Returns: What differs; nil when that is not known yet.
  mutating func receive<Library: SyncLibrary>(
    summary: Digest,
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> Outcome? {
    guard !isDone else {
      context.actions.fail("a second summary")
      return nil
    }
    if summary == ownSummary { return finish(context.terms, &context.actions) }
    guard context.terms.isDialer else { return nil }
    // From here on our digests stand for what we hold now.
    changed = [:]
    context.actions.send(.buckets(try context.library.bucketDigests(in: context.scope)))
    return nil
  }

  /// Answers digests of buckets with the palettes of those that differ.
  mutating func receive<Library: SyncLibrary>(
    buckets: [Digest],
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> Outcome? {
    guard !context.terms.isDialer, !isDone else {
      context.actions.fail("buckets out of turn")
      return nil
    }
    let own = try context.library.bucketDigests(in: context.scope)
    let differing = (0..<SyncProtocol.buckets).filter { own[$0] != buckets[$0] }.map(UInt8.init)
    let entries = try context.library.palettes(in: context.scope, buckets: Set(differing))
    // An entry takes 36 bytes.
    let chunk = context.terms.payloadBytes / 36
    for start in stride(from: 0, through: max(0, entries.count - 1), by: chunk) {
      let end = min(start + chunk, entries.count)
      let isLast = end == entries.count
      context.actions.send(
        .palettes(buckets: differing, entries: Array(entries[start..<end]), isLast: isLast)
      )
    }
    changed = [:]
    return finish(context.terms, &context.actions)
  }

  /// Compares the palettes of the buckets that differ.
  mutating func receive<Library: SyncLibrary>(
    palettes: [Frame.Entry],
    of buckets: [UInt8],
    isLast: Bool,
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> Outcome? {
    guard context.terms.isDialer, !isDone else {
      context.actions.fail("palettes out of turn")
      return nil
    }
    entries += palettes
    guard isLast else { return nil }
    var own: [PaletteID: Digest] = [:]
    for entry in try context.library.palettes(in: context.scope, buckets: Set(buckets)) {
      own[entry.palette] = entry.digest
    }
    let theirs = Dictionary(
      entries.map { ($0.palette, $0.digest) },
      uniquingKeysWith: { first, _ in first }
    )
    var (differing, lacked): ([PaletteID], [PaletteID]) = ([], [])
    for palette in Set(theirs.keys).union(own.keys).sorted() where context.scope.covers(palette) {
      // What came from elsewhere meanwhile may be what the peer has: its digest is newer than ours.
      changed[palette] = nil
      if theirs[palette] == nil, context.terms.packsPalettes {
        lacked.append(palette)
      } else if theirs[palette] != own[palette] {
        differing.append(palette)
      }
    }
    entries = []
    asks.add(differing)
    return finish(differing: differing, lacked: lacked, context.terms, &context.actions)
  }

  /// The next palette to ask the peer for; nil when none is left, or enough answers are awaited.
  mutating func nextAsk() -> PaletteID? { asks.next() }

  /// Notes that the peer has told how far it is with a palette, or need not be asked any more.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - missing: How many changes of it are to come, where the peer has told.
  mutating func endAsk(_ palette: PaletteID, missing: Int? = nil) {
    asks.close(palette, missing: missing)
  }

  /// About how many changes are to come of palettes of which the peer has not told yet.
  var changesToCome: Int { asks.changesToCome }

  /// The peer holds what we held when the digests were found to be equal, but for some palettes.
  ///
  /// Only whoever dialed keeps count of what the other side holds; a hub would have to for each of those
  /// who come back.
  private mutating func finish(
    differing: [PaletteID] = [],
    lacked: [PaletteID] = [],
    _ terms: Terms,
    _ actions: inout Actions
  ) -> Outcome {
    isDone = true
    defer { changed = [:] }
    if terms.isDialer {
      actions.append(.equal(except: Set(differing + lacked).union(changed.keys)))
      for (palette, frontier) in changed.sorted(by: { $0.key < $1.key }) {
        actions.append(.stated(palette, frontier, isWhole: true))
      }
    }
    return Outcome(differing: differing, lacked: lacked, changed: changed)
  }
}

/// The palettes of which the peer is asked how far it is, some at a time.
///
/// A library may have many thousands that differ. Asked for at once they would fill what may wait for a
/// peer, and their answers what may wait for us.
struct FrontierAsks: Sendable {
  /// The number of questions that may be open at once.
  static let limit = 1_000
  /// The most changes that one palette counts for where those of others are guessed.
  private static let believed = 250_000

  /// Those that were not asked for yet, the next one last.
  private var waiting: [PaletteID] = []
  private var open: Set<PaletteID> = []
  /// True if more are asked for now: many at a time, and not one for each answer.
  private var isAsking = true
  /// The number that the peer has announced, and the number of changes to expect from it.
  private var answers = 0
  private var expected = 0

  /// About how many changes are to come of those of which the peer has not told.
  var changesToCome: Int {
    let rest = waiting.count + open.count
    // Before the first answer each has a change, at least.
    return answers == 0 ? rest : rest * max(1, expected / answers)
  }

  /// Adds palettes that are to be asked for, in this order.
  mutating func add(_ palettes: some Sequence<PaletteID>) {
    waiting = palettes.reversed() + waiting
  }

  /// The palette to ask for now; nil when none is left, or enough answers are awaited.
  mutating func next() -> PaletteID? {
    if open.count <= Self.limit / 2 { isAsking = true }
    if open.count >= Self.limit { isAsking = false }
    guard isAsking, let palette = waiting.popLast() else { return nil }
    open.insert(palette)
    return palette
  }

  /// Notes that the peer has told how far it is with a palette, or need not be asked any more.
  mutating func close(_ palette: PaletteID, missing: Int? = nil) {
    guard open.remove(palette) != nil, let missing else { return }
    answers += 1
    // Nobody's claim makes the estimate any larger than a palette can be.
    expected += min(missing, Self.believed)
  }
}

extension Sequence<Frame.Entry> {
  /// The digest over palettes.
  package var digest: Digest {
    reduce(into: .zero) { $0 += Digest($1.palette, $1.digest) }
  }

  /// The digests over palettes by the last byte of their ids.
  package var bucketDigests: [Digest] {
    reduce(into: [Digest](repeating: .zero, count: SyncProtocol.buckets)) { digests, entry in
      digests[Int(entry.palette.bucket)] += Digest(entry.palette, entry.digest)
    }
  }
}
