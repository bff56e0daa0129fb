import PaletteStore

@testable import PaletteFleet

/// Two hubs, a database with one library, and what is on its way between them: a value, so that each of its
/// futures can be looked at.
struct OwnershipWorld: Hashable {
  /// A step from one world to the next.
  enum Step: Hashable {
    /// Two seconds pass, in which the second hub beats.
    case wait
    /// The first hub sends a beat.
    case beat
    /// A hub that may append sends an entry.
    case append(Int)
    /// The second hub looks at the library and asks for it.
    case ask
    /// The server executes what a hub sent.
    case execute(Int)
    /// The answer reaches the hub.
    case hear(Int)
    /// The connection breaks instead; a statement that was not executed may still be.
    case lose(Int)
    /// A statement that was given up is executed.
    case executeLate
  }

  private enum Sent: Hashable {
    case beat(Double)
    case append(LogEntry, after: [UInt8], LogClaim)
    case take(SharedLibrary, LogTaking)
    case endDoubt(LogClaim)
    case letGo(LogClaim)
  }

  private enum Heard: Hashable {
    case beat(BeatAnswer?)
    case state(LogState?)
    case flag(Bool)
  }

  private struct Hub: Hashable {
    var ownership: Ownership
    var sent: [Sent] = []
    var heard: Heard?
    var head: LogState?
  }

  private var tables = MemoryTables()
  private var hubs: [Hub]
  private var late: [Sent] = []
  private(set) var acknowledged: [LogEntry] = []
  private var acknowledgedBy: [Int] = []
  private var now = 0.0

  private static let studio = library(1)

  /// The first hub owns the library, and both have just beaten.
  init() {
    hubs = [1, 2].map { Hub(ownership: Ownership(HubID($0))) }
    for number in 1...2 { tables.register(hub(Int64(number))) }
    _ = tables.create(Self.studio, named: "studio", schema: 0)
    beat(0)
    beat(1)
    ask(0)
    run(0)
    run(0)
  }

  /// The steps that can be made.
  var steps: [Step] {
    var steps: [Step] = [.wait, .ask]
    if hubs[0].sent.isEmpty { steps.append(.beat) }
    for index in hubs.indices {
      if hubs[index].sent.isEmpty, claim(index) != nil { steps.append(.append(index)) }
      guard !hubs[index].sent.isEmpty else { continue }
      steps += hubs[index].heard == nil ? [.execute(index)] : [.hear(index)]
      steps.append(.lose(index))
    }
    if !late.isEmpty { steps.append(.executeLate) }
    return steps
  }

  /// The world after a step.
  func after(_ step: Step) -> Self {
    var next = self
    switch step {
    case .wait:
      next.now += 2
      next.beat(1)
      next.apply(next.hubs[0].ownership.handle(.tick, at: next.now), to: 0)
    case .beat: next.hubs[0].sent.append(.beat(now))
    case .append(let index): next.append(index)
    case .ask: next.ask(1)
    case .execute(let index): next.hubs[index].heard = next.execute(next.hubs[index].sent[0], index)
    case .hear(let index): next.hear(index)
    case .lose(let index): next.lose(index)
    case .executeLate: _ = next.execute(next.late.removeFirst(), 0)
    }
    return next
  }

  /// The rule that is broken; nil when all hold.
  var fault: String? {
    let entries = tables.tail(of: Self.studio, after: 0)
    if !acknowledged.allSatisfy(entries.contains) { return "an acknowledged entry is missing" }
    if Set(acknowledged.map(\.position.number)).count != acknowledged.count {
      return "two under a number"
    }
    let isAnswering = hubs.map { $0.ownership.mayAnswer(Self.studio, at: now) }
    if isAnswering == [true, true] { return "two hubs answer" }
    for (index, isAnswering) in isAnswering.enumerated() where isAnswering {
      guard acknowledgedBy.allSatisfy({ $0 <= index }) else { return "an answer from the past" }
    }
    return nil
  }

  /// True when the library has changed hands and both have acknowledged something.
  var hasChangedHands: Bool { Set(acknowledgedBy).count == 2 }

  private func claim(_ index: Int) -> LogClaim? {
    guard hubs[index].head != nil else { return nil }
    return hubs[index].ownership.claim(Self.studio, at: now)
  }

  private mutating func run(_ index: Int) {
    guard let sent = hubs[index].sent.first else { return }
    hubs[index].heard = execute(sent, index)
    hear(index)
  }

  private mutating func beat(_ index: Int) {
    let answer = tables.beat(HubID(Int64(index + 1)))
    apply(hubs[index].ownership.handle(.beat(answer, sent: now), at: now), to: index)
  }

  private mutating func ask(_ index: Int) {
    guard let row = tables.library(Self.studio) else { return }
    apply(hubs[index].ownership.handle(.asked(row), at: now), to: index)
  }

  private mutating func append(_ index: Int) {
    guard let claim = claim(index), let head = hubs[index].head else { return }
    let mark = PaletteFleetTests.hash(UInt8(head.head * 16 + claim.epoch))
    let entry = LogEntry(
      position: CachePosition(number: head.head + 1, epoch: claim.epoch, hash: mark),
      content: []
    )
    hubs[index].sent.append(.append(entry, after: head.hash, claim))
  }

  private mutating func execute(_ sent: Sent, _ index: Int) -> Heard {
    let id = HubID(Int64(index + 1))
    switch sent {
    case .beat: return .beat(tables.beat(id))
    case .append(let entry, let hash, let claim):
      return .flag(tables.append(entry, after: hash, as: claim))
    case .take(let row, let reason):
      return .state(tables.take(row, because: reason, for: id, schema: 9))
    case .endDoubt(let claim): return .state(tables.endDoubt(claim))
    case .letGo(let claim): return .flag(tables.letGo(claim))
    }
  }

  private mutating func hear(_ index: Int) {
    guard let heard = hubs[index].heard else { return }
    let sent = hubs[index].sent.removeFirst()
    hubs[index].heard = nil
    switch (sent, heard) {
    case (.beat(let time), .beat(let answer)): tell(index, .beat(answer, sent: time))
    case (.append(let entry, _, _), .flag(true)):
      hubs[index].head?.head = entry.position.number
      hubs[index].head?.hash = entry.position.hash
      // An answer needs a lease, whatever the log took.
      guard hubs[index].ownership.mayAnswer(Self.studio, at: now) else { return }
      acknowledged.append(entry)
      acknowledgedBy.append(index)
    case (.append, _): tell(index, .lost(Self.studio))
    case (.take, .state(let state)): tell(index, .took(Self.studio, state))
    case (.endDoubt, .state(let state)): tell(index, .doubtEnded(Self.studio, state))
    default: tell(index, .left(Self.studio))
    }
  }

  private mutating func lose(_ index: Int) {
    let sent = hubs[index].sent.removeFirst()
    if hubs[index].heard == nil, index == 0 { late.append(sent) }
    hubs[index].heard = nil
    switch sent {
    case .beat: break
    case .append: tell(index, .doubted(Self.studio))
    case .take: tell(index, .notTaken(Self.studio))
    case .endDoubt: tell(index, .doubtRemains(Self.studio))
    case .letGo: tell(index, .left(Self.studio))
    }
  }

  private mutating func tell(_ index: Int, _ input: OwnershipInput) {
    apply(hubs[index].ownership.handle(input, at: now), to: index)
  }

  private mutating func apply(_ actions: [OwnershipAction], to index: Int) {
    for action in actions {
      switch action {
      case .take(let row, let reason): hubs[index].sent.append(.take(row, reason))
      case .want(let row): _ = tables.want(row, for: HubID(Int64(index + 1)))
      case .open(_, let state), .reopen(_, let state): hubs[index].head = state
      case .close: hubs[index].head = nil
      case .letGo(let claim): hubs[index].sent.append(.letGo(claim))
      case .endDoubt(let claim): hubs[index].sent.append(.endDoubt(claim))
      case .later, .refuse, .bury, .suspend, .startAgain: break
      }
    }
  }
}
