import CWebSockets

/// One open WebSocket: its frames, whether the other side still answers, with whose unfinished messages
/// its own count, and how it ends.
final class OpenWebSocket {
  let stream: FrameStream
  /// The patience with its silence.
  let patience: Patience
  private var liveness: Liveness
  /// The bytes that had arrived when the other side was asked last.
  private var acknowledgedBytes: UInt64 = 0
  private let unfinished: UnfinishedBytes
  /// With whose unfinished messages its own count; nil for those that need not.
  private var sender: (name: String, unfinishedBytes: Int)?
  /// The bytes that are counted for the sender at present.
  private var countedBytes = 0
  /// Its socket, while that is hidden from libwebsockets and not in use yet.
  private var hidden: WireSocket?
  /// The close that this side wants, once everything has left.
  private(set) var wantedClose: CloseEvent?
  /// The close that happened, as far as it is known.
  private(set) var knownClose: CloseEvent?

  init(_ stream: FrameStream, _ patience: Patience, _ unfinished: UnfinishedBytes) {
    self.stream = stream
    self.patience = patience
    self.unfinished = unfinished
    liveness = Liveness(patience, at: now)
  }

  // MARK: The end

  /// True if neither side has begun to close it.
  var isWhole: Bool { wantedClose == nil && knownClose == nil }

  /// Remembers the close that this side wants.
  func want(_ close: CloseEvent) { wantedClose = close }

  /// Remembers how it ended, unless that is known already.
  func end(by close: CloseEvent?) { knownClose = knownClose ?? close }

  // MARK: Its socket

  /// Takes its socket away from libwebsockets, which has one more round with it; false when that failed.
  func hide(_ socket: OpaquePointer, behind silence: Int32) -> Bool {
    hidden = WireSocket(hiding: socket, behind: silence)
    return hidden != nil && lws_partial_buffered(socket) == 0
  }

  /// True if its socket is hidden from libwebsockets and not in use yet.
  var isHidden: Bool { hidden != nil }

  /// Hands out the hidden socket, or closes it.
  @discardableResult
  func releaseHidden() -> WireSocket? {
    defer { hidden = nil }
    return hidden
  }

  // MARK: Liveness

  /// Remembers that the other side said something.
  func hear() { liveness.hear(at: now) }

  /// Remembers that nobody listened here for some time.
  func excuse(at instant: Int64) { liveness.excuse(at: instant) }

  /// Suspects that the other side is out of reach.
  func doubt(within patience: Duration) {
    liveness.doubt(at: now, within: patience.microseconds)
  }

  /// The measure against silence at this moment.
  func verdict(at instant: Int64) -> Liveness.Verdict { liveness.verdict(at: instant) }

  /// Prepares to ask the other side whether it is there; false where there is no way to.
  func ask() -> Bool {
    guard let descriptor = stream.descriptor, stream.ending == nil else { return false }
    acknowledgedBytes = SocketOptions.acknowledgedBytes(descriptor)
    stream.push(control: .ping, [UInt8](repeating: 0, count: 8))
    return true
  }

  /// True if what was sent has gone further since the other side was asked: on a slow line a ping
  /// waits behind what was sent before, so that is an answer too.
  var isArriving: Bool {
    guard let descriptor = stream.descriptor else { return false }
    let acknowledged = SocketOptions.acknowledgedBytes(descriptor)
    return SocketOptions.isSending(descriptor) && acknowledged > acknowledgedBytes
  }

  // MARK: Unfinished messages

  /// Counts its unfinished message for another sender, or for none; false when that one has sent too
  /// much of such.
  func count(for sender: (name: String, unfinishedBytes: Int)?) -> Bool {
    if let old = self.sender { unfinished.replace(countedBytes, by: 0, of: old.name) }
    countedBytes = 0
    self.sender = sender
    return countUnfinished()
  }

  /// True if nobody is known yet to whom its bytes could be counted.
  var hasUnknownSender: Bool { sender?.name == "" }

  /// Counts what has come of a message that is not whole; false when its sender has sent too much of
  /// such, and nothing more is read here.
  func countUnfinished() -> Bool {
    guard let sender else { return true }
    let bytes = stream.unfinishedBytes
    guard bytes != countedBytes else { return true }
    unfinished.replace(countedBytes, by: bytes, of: sender.name)
    countedBytes = bytes
    guard bytes > 0, unfinished.sum(of: sender.name) > sender.unfinishedBytes else { return true }
    stream.stopReading()
    unfinished.replace(bytes, by: 0, of: sender.name)
    countedBytes = 0
    return false
  }
}
