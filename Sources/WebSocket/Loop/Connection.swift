/// One socket with its state, from accept or connect to its end.
final class Connection: Attachment {
  /// How far a connection has come.
  enum Stage {
    /// A client was accepted and has not sent a whole request yet, or not the next one.
    case requesting
    /// A response is on its way out.
    case responding(HTTPExchange)
    /// An upgrade was admitted and the answer is going out.
    case upgrading(Route, subprotocol: String?, RequestHeaders)
    /// This side is connecting.
    case connecting(ConnectAttempt)
    /// Messages flow.
    case open
    /// The handler has been told, or there is nothing to tell.
    case ended
  }

  let id: ConnectionID
  /// The listener that accepted it; nil when this side connected.
  let listener: Listener?
  var peer: Peer
  /// When it was accepted, in microseconds.
  let accepted = now
  var stage: Stage

  /// Its socket, while that is hidden from libwebsockets.
  var wire: WireSocket?
  /// Its frames, once it is open.
  var stream: FrameStream?
  /// With whose unfinished messages those of this connection count; nil for those that need not.
  var sender: (name: String, unfinishedBytes: Int)?
  /// The bytes that are counted for the sender at present.
  var countedBytes = 0
  /// How it is found out that it is dead; nil for what is usual.
  var patience: Patience?
  /// Whether the other side still answers; nil before messages flow.
  var liveness: Liveness?
  /// What had arrived when it was asked last.
  var acknowledgedBytes: UInt64 = 0

  /// The close that this side wants, once the queue is empty.
  var wantedClose: CloseEvent?
  /// The close that happened, as far as it is known.
  var knownClose: CloseEvent?
  /// The timer that ends the connection if it does not get further.
  var deadline: TimerID?

  init(id: ConnectionID, listener: Listener?, peer: Peer, stage: Stage) {
    self.id = id
    self.listener = listener
    self.peer = peer
    self.stage = stage
  }

  var isClient: Bool { listener == nil }

  var isOpen: Bool {
    if case .open = stage { true } else { false }
  }
}
