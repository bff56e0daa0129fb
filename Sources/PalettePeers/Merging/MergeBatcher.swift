/// Long catch-up that arrives frame by frame, until it is worth a commit.
///
/// Every commit writes each page that it touches, so a commit a frame would write most of a palette
/// again and again. Only frames of several changes are gathered: what comes alone, as every live
/// edit does, waits for nothing, and nobody else waits for what is gathered.
struct MergeBatcher {
  private struct Batch {
    var changes = 0
    var bytes = 0
    /// The number of changes that are to come besides, where the peer said how far it is.
    var rest: Int?
    /// True if nothing is to come that could join.
    var isOver = false
    var sinceMilliseconds: Int64
    var lastMilliseconds: Int64
  }

  /// The time that the next frame of a batch may take: its sender has to read and compress it.
  static let quietMilliseconds: Int64 = 20
  /// The time that it may take where its sender said that there is one: a busy machine does other
  /// work between two, and merging in two halves costs half as much again as merging at once.
  static let promisedMilliseconds: Int64 = 60
  /// From this many changes on, merging takes long enough that other peers should not wait for it.
  static let longCount = 1_024
  /// The time that the first frame of a batch may wait.
  static let longestMilliseconds: Int64 = 300

  private let changeLimit: Int
  private let byteLimit: Int
  private var batches: [PeerConnectionID: Batch] = [:]

  /// Creates an empty one.
  ///
  /// - Parameters:
  ///   - changeLimit: How many changes are enough.
  ///   - byteLimit: How many bytes are enough; less than a peer may send before something is merged.
  init(changeLimit: Int, byteLimit: Int) {
    self.changeLimit = changeLimit
    self.byteLimit = byteLimit
  }

  /// Adds a frame that arrived.
  ///
  /// - Parameters:
  ///   - arrivals: What it brought.
  ///   - connection: Where it came from.
  ///   - missing: How many changes the peer said to hold that are not held here, these among them; nil
  ///     where it said nothing.
  ///   - milliseconds: The time.
  mutating func add(
    _ arrivals: Arrivals,
    from connection: PeerConnectionID,
    missing: Int? = nil,
    at milliseconds: Int64
  ) {
    guard arrivals.count > 1 else {
      // What follows a batch is merged after it, so the batch must not hold it up.
      return end(of: connection)
    }
    var batch =
      batches[connection] ?? Batch(sinceMilliseconds: milliseconds, lastMilliseconds: milliseconds)
    batch.changes += arrivals.count
    batch.bytes += arrivals.byteCount
    batch.rest = missing.map { max(0, $0 - batch.changes) }
    batch.isOver = false
    batch.lastMilliseconds = milliseconds
    batches[connection] = batch
  }

  /// Merges what has arrived without waiting for more.
  mutating func end(of connection: PeerConnectionID) { batches[connection]?.isOver = true }

  /// Waits for no more than a peer says to hold and has not sent; with nothing, not at all.
  mutating func expect(_ missing: Int, from connection: PeerConnectionID) {
    guard let changes = batches[connection]?.changes else { return }
    batches[connection]?.rest = max(0, missing - changes)
  }

  /// Removes arrivals that are about to be merged.
  mutating func remove(
    _ arrivals: Arrivals,
    from connection: PeerConnectionID,
    at milliseconds: Int64
  ) {
    guard var batch = batches[connection], arrivals.count > 1 else { return }
    batch.changes -= arrivals.count
    batch.bytes -= arrivals.byteCount
    batch.sinceMilliseconds = milliseconds
    batches[connection] = batch.changes > 0 ? batch : nil
  }

  /// Forgets a connection that has ended.
  mutating func remove(_ connection: PeerConnectionID) { batches[connection] = nil }

  /// The time until what came from a peer is merged, if nothing more comes; 0 for at once.
  func delayMilliseconds(of connection: PeerConnectionID, at milliseconds: Int64) -> Int64 {
    guard let batch = batches[connection], !batch.isOver, batch.changes < changeLimit,
      batch.rest != 0, batch.bytes < byteLimit || isRestWorthIt(batch)
    else { return 0 }
    // A clock that went back must not keep anything waiting.
    let next = batch.rest == nil ? Self.quietMilliseconds : Self.promisedMilliseconds
    let rest = min(
      next - abs(milliseconds - batch.lastMilliseconds),
      Self.longestMilliseconds - abs(milliseconds - batch.sinceMilliseconds)
    )
    return max(0, rest)
  }

  /// Returns whether merging what came from a peer may wait until what others are to get has left.
  ///
  /// Packing it takes far less time than a long merge, and they can merge it meanwhile.
  func canWait(_ connection: PeerConnectionID, at milliseconds: Int64) -> Bool {
    guard let batch = batches[connection], batch.changes >= Self.longCount else { return false }
    return abs(milliseconds - batch.sinceMilliseconds) < Self.promisedMilliseconds
  }

  /// Returns whether what is still to come is better taken along than in a commit of its own.
  ///
  /// It has to fit into what the peer may send before something is merged, or nothing more would come.
  private func isRestWorthIt(_ batch: Batch) -> Bool {
    guard let rest = batch.rest, rest <= batch.changes / 2 else { return false }
    return batch.changes + rest <= changeLimit
      && batch.bytes + batch.bytes / batch.changes * rest <= byteLimit + byteLimit / 2
  }
}
