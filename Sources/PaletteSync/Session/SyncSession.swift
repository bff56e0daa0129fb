public import PaletteMerge
public import PaletteModel

/// One connection of the protocol `hued.sync.v1`, as a pure state machine: event in, actions out.
///
/// It owns no socket, no clock and no thread. Whoever does hands it events, carries its actions out
/// in order, and lends it the library to read. Everything it knows is rebuilt on every connection
/// from what both sides durably hold.
public struct SyncSession: Sendable {
  /// The end of the connection on which this is.
  public enum Side: Hashable, Sendable {
    /// This node connected: it says hello.
    case dialer(Credentials)
    /// The peer connected: its grants decide what it may cause.
    case acceptor
  }

  /// The credentials of a dialer, and the terms to which it agreed when it joined.
  public struct Credentials: Hashable, Sendable {
    /// The secret of the member that this library is there, or will be when the code is redeemed.
    public var secret: [UInt8]
    /// The secret of a join code to be redeemed; empty for none.
    public var code: [UInt8]
    /// The grants agreed when this library joined: a welcome may say less, never more.
    public var grants: [Grant]
    /// Palettes that were given back since, of which the acceptor may not have heard.
    public var givenBack: Set<PaletteID>
    /// The proof that the acceptor owes first; nil if TLS shows who it is.
    public var doubt: Doubt?

    /// Describes credentials.
    public init(
      secret: [UInt8] = [],
      code: [UInt8] = [],
      grants: [Grant],
      givenBack: Set<PaletteID> = [],
      doubt: Doubt? = nil
    ) {
      self.secret = secret
      self.code = code
      self.grants = grants
      self.givenBack = givenBack
      self.doubt = doubt
    }
  }

  /// The doubt of a dialer about who listens at an address: it shows no secret before a proof.
  public struct Doubt: Hashable, Sendable {
    /// Random bytes for the challenge.
    public var nonce: [UInt8]
    /// The address and port that were dialed, as the system has them: `127.0.0.1:4833`, `[::1]:4833`.
    public var address: String

    /// Describes a doubt.
    public init(nonce: [UInt8], address: String) {
      self.nonce = nonce
      self.address = address
    }
  }

  private var greeting: Greeting
  /// The exchange that follows the welcome; nil before it.
  ///
  /// An optional and no case of a phase: Swift changes the payload of an optional where it lies.
  private var exchange: Exchange?
  private var isClosed = false

  /// Creates a session of a node; nothing is sent before the connection opens.
  public init(
    _ side: Side,
    node: NodeID,
    library: RecordID,
    name: String = "",
    otherNodes: [NodeID] = [],
    limits: SyncLimits = SyncLimits()
  ) {
    greeting = Greeting(
      side,
      node: node,
      library: library,
      name: name,
      otherNodes: otherNodes,
      limits: limits
    )
  }

  /// The end on which this is.
  public var side: Side { greeting.side }

  /// True if hello and welcome were exchanged, and neither side has closed.
  public var isEstablished: Bool { exchange != nil && !isClosed }

  /// The effects that either side may have at the other.
  public var trust: Trust { exchange?.terms.trust ?? .none }

  /// The number of changes the peer said to hold that are not held here yet, and that it may push.
  public var changesToCome: Int { exchange?.changesToCome ?? 0 }

  /// The number of changes of others the peer said to hold that are not held here, and that it may
  /// not push.
  ///
  /// - Throws: That the library cannot be read.
  public func changesOutOfReach<Library: SyncLibrary>(
    _ library: Library
  ) throws(Library.Failure) -> Int {
    try exchange?.changesOutOfReach(library) ?? 0
  }

  /// The bytes of unfinished snapshots that are kept for the peer.
  package var snapshotBytes: Int { exchange?.snapshotBytes ?? 0 }

  /// The most of them: less than usual where other connections of the same peer hold some.
  package var snapshotLimit: Int {
    get { exchange?.snapshotLimit ?? SyncProtocol.snapshotBytes }
    set { exchange?.snapshotLimit = newValue }
  }

  /// The most bytes that are kept of what the peer states.
  var statementLimit: Int {
    get { exchange?.statementLimit ?? 0 }
    set { exchange?.statementLimit = newValue }
  }

  /// About how many bytes are kept of what the peer stated.
  var statementBytes: Int { exchange?.statementBytes ?? 0 }

  /// Decides what to do about what happened.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - library: The library that the session speaks for.
  ///   - milliseconds: The node's clock.
  /// - Returns: What to do, in order.
  /// - Throws: Only what the library throws; the session is of no more use then.
  public mutating func handle<Library: SyncLibrary>(
    _ event: SyncEvent,
    library: Library,
    milliseconds: UInt64
  ) throws(Library.Failure) -> [SyncAction] {
    guard !isClosed else { return [] }
    var context = Context(exchange?.terms ?? .none, library, milliseconds)
    switch event {
    case .received(let bytes):
      try receive(bytes, &context)
    case .revoked(let code):
      context.actions.refuse(.unauthorized, code, "the grant is \(code)")
    case .draining(let retryAfter):
      context.actions.send(.goaway(retryAfterMilliseconds: retryAfter))
      context.actions.close(.goingAway, "the node ends")
    default:
      if exchange == nil {
        try begin(greeting.handle(event, milliseconds, &context.actions), &context)
      } else {
        try exchange?.handle(event, &context)
      }
    }
    isClosed = context.actions.isClosed
    return context.actions.list
  }

  private mutating func receive<Library: SyncLibrary>(
    _ bytes: [UInt8],
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    let frame: Frame
    do {
      frame = try Frame(decoding: bytes)
    } catch {
      return context.actions.fail("\(error)")
    }
    switch frame {
    case .refuse(let code, let reason):
      let words = (code: SafeText.words(code), reason: SafeText.words(reason))
      context.actions.append(.refused(code: words.code, reason: words.reason))
      context.actions.close(SyncProtocol.CloseCode(refusal: code), "refused: \(words.code)")
    case .goaway(let milliseconds):
      context.actions.append(.retryAfter(milliseconds: milliseconds))
    case .bye:
      context.actions.close(.normal, "the peer said bye")
    default:
      if exchange == nil {
        let terms = greeting.receive(frame, context.milliseconds, &context.actions)
        try begin(terms, &context)
      } else {
        try exchange?.receive(frame, byteCount: bytes.count, &context)
      }
    }
  }

  private mutating func begin<Library: SyncLibrary>(
    _ terms: Terms?,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard let terms else { return }
    context.terms = terms
    exchange = Exchange(terms)
    try exchange?.begin(&context)
  }
}
