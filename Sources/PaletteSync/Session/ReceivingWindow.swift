/// The amount that a peer may still send, and the effect of what it sent: flow control as the
/// receiver sees it.
///
/// Room is given back when something is durable, not when it has arrived. Whoever is slow to merge,
/// because the store is slow or because others have their turn, so slows the sender down, and holds
/// no more than the window.
struct ReceivingWindow: Hashable {
  /// The amount that may be on its way or wait for a merge.
  private let size: UInt64
  /// The credit that the peer believes it has.
  private(set) var credit: UInt64
  /// The sizes of frames that are not merged yet, in the order of arrival.
  private var unmerged: [UInt64] = []
  private var unmergedBytes: UInt64 = 0
  /// The bytes that came beyond the credit since there was none left.
  private var overdrawn: UInt64 = 0

  /// A sender cuts no frame, and counts no envelopes when it reads from its log.
  private static let tolerance = 4 * UInt64(SyncProtocol.frameBytes)

  init(size: UInt64 = SyncProtocol.creditBytes) {
    self.size = size
    credit = size
  }

  /// Admits a frame that is to be merged.
  ///
  /// - Returns: False when the peer sends on without credit.
  mutating func admit(_ byteCount: Int) -> Bool {
    let bytes = UInt64(byteCount)
    if credit == 0 { overdrawn += bytes }
    credit -= min(credit, bytes)
    unmerged.append(bytes)
    unmergedBytes += bytes
    return overdrawn <= Self.tolerance
  }

  /// Notes that the first of the frames that are not merged is durable, or was refused.
  mutating func merged() {
    guard !unmerged.isEmpty else { return }
    unmergedBytes -= unmerged.removeFirst()
  }

  /// Notes that the frame that came in last needs no merging of its own.
  mutating func used() {
    guard let bytes = unmerged.popLast() else { return }
    unmergedBytes -= bytes
  }

  /// The credit to grant now; nil while it is not worth a frame.
  mutating func grant() -> UInt64? {
    let taken = min(size, credit + unmergedBytes)
    let room = size - taken
    guard room >= size / 4 else { return nil }
    credit += room
    overdrawn = 0
    return room
  }
}
