internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// Old rows of one palette on their way from a peer, author by author.
struct HistoryFetch {
  /// The connection that was asked.
  let connection: PeerConnectionID
  /// Until when the peer has to say something.
  private(set) var deadlineMilliseconds: Int64
  private var waiting: [(node: NodeID, numbers: ClosedRange<UInt32>)]
  private(set) var parts: [NodeID: HistoryPart] = [:]
  private var byteCount = 0

  /// The most bytes that are held of one palette's old rows, as of a snapshot.
  static let byteLimit = 256 << 20
  /// The time that a peer may take for one answer.
  static let patienceMilliseconds: Int64 = 5_000

  init(from connection: PeerConnectionID, upTo floors: [NodeID: UInt32], at milliseconds: Int64) {
    self.connection = connection
    deadlineMilliseconds = milliseconds + Self.patienceMilliseconds
    waiting = floors.sorted { $0.key < $1.key }.map { ($0.key, 1...$0.value) }
  }

  /// The next question; nil once everything was answered.
  var question: (node: NodeID, numbers: ClosedRange<UInt32>)? { waiting.first }

  /// Adds an answer.
  ///
  /// Every answer but the last must contain rows, so that the exchange ends.
  ///
  /// - Returns: Whether it answers what was asked.
  mutating func add(_ history: OldHistory, at milliseconds: Int64) -> Bool {
    guard let (node, numbers) = question, history.node == node, history.last >= numbers.lowerBound,
      history.last >= numbers.upperBound || !history.changes.isEmpty
    else { return false }
    byteCount += history.changes.reduce(0) { $0 + $1.count }
    guard byteCount <= Self.byteLimit else { return false }
    var part = parts[node] ?? HistoryPart(last: 0, sinceMilliseconds: nil, changes: [])
    part.last = history.last
    part.sinceMilliseconds = history.sinceMilliseconds.map { Int64(clamping: $0) }
    part.changes += history.changes
    parts[node] = part
    deadlineMilliseconds = milliseconds + Self.patienceMilliseconds
    if history.last >= numbers.upperBound {
      waiting.removeFirst()
    } else {
      waiting[0].numbers = history.last + 1...numbers.upperBound
    }
    return true
  }
}

/// Old rows that peers were asked for, palette by palette.
final class HistoryFetches {
  private var fetches: [PaletteID: HistoryFetch] = [:]
  /// The palettes whose old rows have come, or will not come.
  private(set) var settled: Set<PaletteID> = []

  subscript(palette: PaletteID) -> HistoryFetch? { fetches[palette] }

  func begin(_ fetch: HistoryFetch, of palette: PaletteID) { fetches[palette] = fetch }

  /// Adds an answer.
  ///
  /// - Returns: Whether it answers what was asked over this connection.
  func add(_ history: OldHistory, from connection: PeerConnectionID, at now: Int64) -> Bool {
    guard fetches[history.palette]?.connection == connection else { return false }
    return fetches[history.palette]?.add(history, at: now) == true
  }

  /// Ends a question: its answer has come, or never will.
  func end(_ palette: PaletteID) {
    fetches[palette] = nil
    settled.insert(palette)
  }

  /// Gives up what was asked over a connection that has ended.
  func end(_ connection: PeerConnectionID) {
    for (palette, fetch) in fetches where fetch.connection == connection { end(palette) }
  }

  /// Gives up what was asked of peers that say nothing.
  func endOverdue(at now: Int64) {
    for (palette, fetch) in fetches where fetch.deadlineMilliseconds < now { end(palette) }
  }

  /// Removes the palettes that are settled.
  func removeSettled() -> Set<PaletteID> {
    defer { settled = [] }
    return settled
  }
}
