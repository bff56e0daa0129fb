/// Messages on their way to one connection, bounded in bytes.
struct SendQueue {
  /// The most bytes that may wait.
  let byteLimit: Int
  /// The bytes that wait.
  private(set) var byteCount = 0
  private var frames: [Frame] = []
  private var head = 0

  /// How much of the first frame has been written already, when it goes out in fragments.
  var offset = 0

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  var isEmpty: Bool { head == frames.count }

  /// The next frame to write.
  var first: Frame? { head < frames.count ? frames[head] : nil }

  /// Whether more than one frame waits.
  var hasSeveral: Bool { head + 1 < frames.count }

  /// Adds a frame, or says that there is no room.
  ///
  /// An empty message still takes a place, so it counts as one byte.
  mutating func push(_ frame: Frame) -> Bool {
    let (sum, overflow) = byteCount.addingReportingOverflow(frame.weight)
    guard !overflow, sum <= byteLimit else { return false }
    byteCount = sum
    frames.append(frame)
    return true
  }

  /// Removes the frame that has been written whole.
  mutating func removeFirst() {
    byteCount -= frames[head].weight
    offset = 0
    head += 1
    if head == frames.count {
      frames.removeAll(keepingCapacity: frames.count <= 64)
      head = 0
    } else if head >= 256, head * 2 >= frames.count {
      frames.removeFirst(head)
      head = 0
    }
  }

  /// Forgets everything that has not begun to leave; half a message cannot be taken back.
  mutating func discardUnbegun() {
    let begun = offset > 0 ? first : nil
    frames = begun.map { [$0] } ?? []
    head = 0
    byteCount = begun?.weight ?? 0
  }
}
