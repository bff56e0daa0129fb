/// The frames of one open WebSocket, in both directions.
///
/// Messages may be given to it at once; they leave when it has a socket. It decides nothing about the
/// connection: it says what came in, and how far what goes out has come.
final class FrameStream {
  /// The step that the end of a connection has reached.
  enum Ending: Equatable {
    /// The close frame was sent; the other side's is awaited.
    case answerAwaited
    /// Nothing more is expected; what was written is leaving.
    case leaving(lingers: Bool)
    /// Our side is closed; what still comes is forgotten.
    case lingering
  }

  /// The outcome of reading.
  enum Input {
    /// Frames, and whether there is nothing more for now.
    case frames([FrameParser.Event], isEmptied: Bool)
    /// Nothing yet.
    case nothing
    /// The other side sends nothing more, or is gone.
    case ended
  }

  private let id: ConnectionID
  private let isClient: Bool
  private var parser: FrameParser
  private var outgoing: OutgoingFrames
  private var socket: WireSocket?
  private var poller: Poller?
  private var isReading = false
  private var isWaitingToWrite = false
  /// The round of the loop in which a message left at once.
  private var sentRound: UInt64 = 0
  /// True if whoever sends was told, or will find, that too much waits.
  private(set) var isCongested = false
  /// The step that the end has reached; nil before the close frame was sent.
  var ending: Ending?
  /// True if the loop is to write what waits, when the present round is over.
  var isFlushDue = false
  /// True if nothing more is read for now.
  var isPaused = false

  init(_ id: ConnectionID, messageLimit: Int, queueLimit: Int, isClient: Bool) {
    self.id = id
    self.isClient = isClient
    parser = FrameParser(messageLimit: messageLimit, isMasked: !isClient)
    outgoing = OutgoingFrames(byteLimit: queueLimit, isMasked: isClient)
  }

  /// Gives it the socket over which the frames go from now on.
  func attach(_ socket: WireSocket, _ poller: Poller) {
    self.socket = socket
    self.poller = poller
    adjustReading()
  }

  /// Closes the socket.
  func detach() {
    socket = nil
    isReading = false
  }

  /// True if there is a socket.
  var isAttached: Bool { socket != nil }

  /// The socket's number, for what the system knows about it.
  var descriptor: Int32? { socket?.descriptor }

  // MARK: Sending

  /// The bytes of messages that wait.
  var queuedBytes: Int { outgoing.byteCount }

  /// True if nothing is left to send.
  var isEmpty: Bool { outgoing.isEmpty }

  /// Takes a message; false when there is no room for it.
  ///
  /// The usual case is that nothing waits and the socket takes it at once. What follows in the same
  /// round of the loop waits, and so leaves with one call to the system.
  func push(_ frame: MessageFrame, in round: UInt64) -> Bool {
    if let socket, !isClient, sentRound != round, outgoing.isEmpty,
      frame.count <= OutgoingFrames.batchedSize, frame.count <= outgoing.byteLimit,
      let written = socket.write(frame.wire)
    {
      sentRound = round
      // Even when nothing left: TLS may have begun with it, so that nothing else may be next.
      if written < frame.wire.count {
        outgoing.giveBack(UnsafeRawBufferPointer(rebasing: frame.wire[written...]))
        isWaitingToWrite = true
        watch()
      }
      return true
    }
    let isQueued = outgoing.push(frame)
    if !isQueued || outgoing.byteCount > outgoing.byteLimit / 2 { isCongested = true }
    return isQueued
  }

  /// Takes a ping, its answer, or a close.
  func push(control opcode: Opcode, _ payload: [UInt8]) {
    outgoing.push(control: opcode, payload)
  }

  /// Forgets messages that have not begun to leave.
  func discardUnbegun() { outgoing.discardUnbegun() }

  /// Writes what waits, until the socket takes no more.
  ///
  /// - Parameter scratch: Memory of `OutgoingFrames.pieceSize` bytes.
  /// - Returns: Whether the socket still works.
  func flush(using scratch: UnsafeMutablePointer<UInt8>) -> Bool {
    guard let socket else { return true }
    var isChoked = false
    while !isChoked {
      let count = outgoing.next(into: scratch)
      guard count > 0 else { break }
      let bytes = UnsafeRawBufferPointer(start: scratch, count: count)
      guard let written = socket.write(bytes) else { return false }
      if written < count {
        outgoing.giveBack(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        isChoked = true
      }
    }
    if isChoked != isWaitingToWrite {
      isWaitingToWrite = isChoked
      watch()
    }
    return true
  }

  /// Returns whether what waited has become so little that its sender may go on; true once.
  func isRelieved() -> Bool {
    guard isCongested, outgoing.byteCount <= outgoing.byteLimit / 4 else { return false }
    isCongested = false
    return true
  }

  /// Says that nothing more comes from this side.
  func finish() {
    socket?.finish()
    ending = .lingering
  }

  // MARK: Reading

  /// The most bytes of a message from the other side, from its next frame on.
  func limitMessages(to bytes: Int) { parser.messageLimit = bytes }

  /// The bytes that are kept of a message that has not come whole.
  var unfinishedBytes: Int { parser.unfinishedBytes }

  /// True if nothing that still comes is read.
  var isDeaf: Bool { parser.isFinished }

  /// Reads no more frames, and forgets the message that has not come whole.
  func stopReading() { parser.stop() }

  /// True if bytes have come that no poll tells of.
  var hasPending: Bool { isReading && socket?.hasPending == true }

  /// Reads, or does not for now; true when reading begins.
  @discardableResult
  func adjustReading() -> Bool {
    let isWanted = socket != nil && !isPaused && !outgoing.isFlooded
    guard isWanted != isReading else { return false }
    isReading = isWanted
    watch()
    return isWanted
  }

  /// Reads what has come.
  func read(using scratch: UnsafeMutableRawBufferPointer) -> Input {
    guard isReading, let socket else { return .nothing }
    switch socket.read(into: scratch) {
    case nil: return .nothing
    case 0?: return .ended
    case let count?:
      let events = parser.read(UnsafeRawBufferPointer(rebasing: scratch.prefix(count)))
      return .frames(events, isEmptied: socket.isExact && count < scratch.count)
    }
  }

  private func watch() {
    guard let socket, let poller else { return }
    poller.watch(socket.descriptor, id, reads: isReading, writes: isWaitingToWrite)
  }
}
