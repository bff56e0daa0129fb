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

  /// How far the end of a connection has come that is read here.
  enum Ending: Equatable {
    /// The close frame was sent; the other side's is awaited.
    case answerAwaited
    /// Nothing more is expected; what was written is leaving.
    case leaving(lingers: Bool)
    /// Our side is closed; what still comes is forgotten.
    case lingering
  }

  /// Reads the other side's frames; nil where libwebsockets does.
  var parser: FrameParser?
  /// The payloads of pings that are not answered yet.
  var pongs: [[UInt8]] = []
  /// Whether the parser is fed at present.
  var isReading = false
  var ending: Ending?

  /// The message that is coming in, as far as it has come.
  var incoming: [UInt8] = []
  /// The check of that message, where it is text.
  var text = UTF8Check()
  var messageLimit = Route.usualMessageLimit
  /// With whose unfinished messages those of this connection count; nil for those that need not.
  var sender: (name: String, unfinishedBytes: Int)?
  /// The bytes that are counted for the sender at present.
  var countedBytes = 0
  var queue = SendQueue(byteLimit: Route.usualQueueLimit)
  /// The round of the loop in which a frame left at once.
  var sentRound: UInt64 = 0
  /// Whether `drained` is owed.
  var owesDrained = false

  /// How it is found out that it is dead; nil for what is usual.
  var patience: Patience?
  /// Whether the other side still answers; nil before messages flow.
  var liveness: Liveness?
  /// What had arrived when it was asked last.
  var acknowledgedBytes: UInt64 = 0
  var isPingDue = false
  /// Whether nothing more is read for now.
  var isPaused = false

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
