/// The bytes that leave on one connection: messages, pings and their answers, and at last a close.
///
/// Whoever has a socket takes pieces that fit it and gives back what the socket did not take. Long
/// messages leave in fragments, so that an answer to a ping need not wait for them.
struct OutgoingFrames {
  /// The largest message that is copied in order to leave together with others.
  static let batchedSize = 16 * 1024
  /// The most bytes of a fragment.
  private static let fragmentSize = 64 * 1024
  /// The most bytes of one piece.
  static let pieceSize = fragmentSize + FrameEncoder.headerLimit
  /// The number of answers to pings that may wait before nothing more should be read.
  static let pongLimit = 256

  private var messages: SendQueue
  private var controls: [[UInt8]] = []
  private let isMasked: Bool
  /// The bytes that were given out and came back; they go before everything else.
  private var rest: [UInt8] = []

  /// Creates an empty queue; a client masks what it sends.
  init(byteLimit: Int, isMasked: Bool) {
    messages = SendQueue(byteLimit: byteLimit)
    self.isMasked = isMasked
  }

  /// The most bytes of messages that may wait.
  var byteLimit: Int { messages.byteLimit }
  /// The bytes of messages that wait.
  var byteCount: Int { messages.byteCount }
  /// True if nothing is left to send.
  var isEmpty: Bool { messages.isEmpty && controls.isEmpty && rest.isEmpty }
  /// True if so many answers wait that the other side should not be read.
  var isFlooded: Bool { controls.count >= Self.pongLimit }

  /// Adds a message, or says that there is no room.
  mutating func push(_ frame: MessageFrame) -> Bool { messages.push(frame) }

  /// Adds a ping, its answer, or a close; they pass messages, but not each other.
  mutating func push(control opcode: Opcode, _ payload: [UInt8]) {
    controls.append(FrameEncoder.frame(opcode, payload, mask: mask))
  }

  /// Forgets messages that have not begun to leave.
  mutating func discardUnbegun() { messages.discardUnbegun() }

  /// Takes the next piece, into memory of `pieceSize` bytes.
  ///
  /// - Returns: Its bytes; 0 when there are none.
  mutating func next(into target: UnsafeMutablePointer<UInt8>) -> Int {
    var used = rest.count
    if used > 0 {
      rest.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { target.update(from: start, count: used) }
      }
      rest = []
    }
    // Between the fragments of a message too. They are taken out at once: whoever floods this side with
    // pings could otherwise make it move what is left again and again.
    var taken = 0
    for control in controls {
      guard used + control.count <= Self.pieceSize else { break }
      control.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress { (target + used).update(from: start, count: bytes.count) }
      }
      used += control.count
      taken += 1
    }
    controls.removeFirst(taken)
    while let frame = messages.first {
      let room = Self.pieceSize - used - FrameEncoder.headerLimit
      guard used == 0 || (frame.count <= Self.batchedSize && frame.count <= room) else { break }
      used += writePiece(of: frame, to: target + used)
    }
    return used
  }

  /// Writes a message, or the next fragment of a long one.
  private mutating func writePiece(
    of frame: MessageFrame,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let offset = messages.offset
    let count = min(frame.count - offset, Self.fragmentSize)
    let isLast = offset + count == frame.count
    let piece = UnsafeRawBufferPointer(rebasing: frame.payload[offset..<offset + count])
    let opcode = offset == 0 ? frame.kind.opcode : .continuation
    if isLast { messages.removeFirst() } else { messages.offset += count }
    return FrameEncoder.write(opcode, isLast: isLast, piece, mask: mask, to: target)
  }

  /// Gives back what a socket did not take.
  mutating func giveBack(_ bytes: UnsafeRawBufferPointer) {
    rest = Array(bytes) + rest
  }

  private var mask: UInt32? { isMasked ? .random(in: .min ... .max) : nil }
}

/// Messages whose bytes any number of connections of one loop can share.
package struct OutgoingMessages {
  let frames: [MessageFrame]
  /// The bytes of all messages.
  package let byteCount: Int

  /// Copies the bytes, once.
  package init(_ messages: [[UInt8]], as kind: Message.Kind) {
    frames = messages.map { MessageFrame($0, kind: kind) }
    byteCount = messages.reduce(0) { $0 + $1.count }
  }
}

/// Messages on their way to one connection, bounded in bytes.
struct SendQueue {
  /// The most bytes that may wait.
  let byteLimit: Int
  /// The bytes that wait.
  private(set) var byteCount = 0
  private var frames: [MessageFrame] = []
  private var head = 0

  /// The part of the first frame that has been written already, when it goes out in fragments.
  var offset = 0

  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  var isEmpty: Bool { head == frames.count }

  /// The next frame to write.
  var first: MessageFrame? { head < frames.count ? frames[head] : nil }

  /// Adds a frame, or says that there is no room.
  ///
  /// An empty message still takes a place, so it counts as one byte.
  mutating func push(_ frame: MessageFrame) -> Bool {
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
