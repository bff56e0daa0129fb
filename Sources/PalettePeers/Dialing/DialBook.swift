internal import PaletteMerge
internal import PaletteModel
package import PaletteStore
internal import PaletteSync

/// The state of reaching one peer that this library joined.
package struct PeerDialer {
  package fileprivate(set) var state = PeerConnectionState.offline
  package fileprivate(set) var connection: PeerConnectionID?
  /// The attempts to reach it that are under way.
  fileprivate(set) var race: DialRace?
  package fileprivate(set) var attempts = 0
  fileprivate(set) var nextAttemptMilliseconds: Int64 = 0
  /// The pause that the peer asked for when it ended.
  fileprivate var retryMilliseconds: Int64 = 0
  /// True if nothing is waited for when the connection has ended.
  fileprivate var comesBackAtOnce = false
  /// The start of the first attempt that led to the connection.
  fileprivate var begunMilliseconds: Int64 = 0
  /// The error that `status` shows; nothing is decided by it.
  package internal(set) var error: PeerError?
  package internal(set) var roundTripMilliseconds: Int64?
  package internal(set) var clockOffsetMilliseconds: Int64?
  package internal(set) var isCaughtUp = false

  package init() {}

  fileprivate func isDue(at now: Int64) -> Bool {
    // A clock that went back must not keep a peer waiting.
    now >= nextAttemptMilliseconds
      || now < nextAttemptMilliseconds - DialBook.longestWaitMilliseconds
  }
}

/// The peers that this library joined: their memberships, and when which address of theirs is tried.
///
/// It opens no connection and writes no file: it returns what to do, and what to save.
final class DialBook {
  private(set) var peers: [String: StoredPeer] = [:]
  private(set) var dialers: [String: PeerDialer] = [:]
  /// Peers as they were before they were joined again, until the new membership holds.
  private var formerPeers: [String: StoredPeer] = [:]
  private let random: RandomSource

  /// The shortest and the longest limit of the random time between two attempts to reach a peer.
  ///
  /// Whoever is back has to be live again within ten seconds, however long the absence was.
  static let backoffMilliseconds: ClosedRange<Int64> = 500...8_000
  /// The least time until a peer is asked again that has refused this library.
  static let refusedMilliseconds: Int64 = 30_000
  fileprivate static let longestWaitMilliseconds =
    refusedMilliseconds + backoffMilliseconds.upperBound
  /// The time that an address of a peer may take to answer.
  ///
  /// A network that swallows everything must not hold an attempt for longer than a wait would.
  static let dialMilliseconds: Int64 = 8_000
  /// The age of an attempt that begins again when the network has changed.
  static let staleDialMilliseconds: Int64 = 3_000

  init(_ peers: [StoredPeer], random: RandomSource) {
    self.random = random
    for peer in peers {
      self.peers[peer.url] = peer
      dialers[peer.url] = PeerDialer()
    }
  }

  /// The peers that are connected or to be reached, in order.
  var urls: [String] { dialers.keys.sorted() }

  /// The connections that were dialed.
  var connections: [PeerConnectionID] { dialers.values.compactMap(\.connection) }

  // MARK: Memberships

  /// Returns whether a membership waits for another one of the same peer to be taken back.
  func isJoiningAnew(_ url: String) -> Bool { formerPeers[url] != nil }

  /// The peer as it is after accepting a join code.
  ///
  /// - Parameters:
  ///   - ticket: What the join code says.
  ///   - secret: The secret by which the hub is to know this library, where it knows none.
  /// - Returns: The peer, which is joined when it takes the code.
  func peer(joinedBy ticket: JoinTicket, secret: [UInt8]) -> StoredPeer {
    let known = peers.values.sorted { $0.url < $1.url }.first(where: ticket.isFrom)
    var peer =
      known ?? StoredPeer(url: ticket.addresses[0], addresses: [], grants: [])
    // A hub that is new at a known address begins with a secret of its own.
    if peer.secret.isEmpty { peer.secret = secret }
    peer.addresses = ticket.addresses
    peer.pin = ticket.pin
    peer.code = ticket.code
    peer.library = peer.library ?? ticket.library
    peer.refusal = nil
    if !peer.grants.contains(ticket.grant) { peer.grants.append(ticket.grant) }
    if let palette = ticket.grant.palette { peer.givenBack.remove(palette) }
    return peer
  }

  /// Returns whether another code of the same peer is still to be redeemed, whose place this one
  /// would take.
  func isRedeeming(anotherCodeThan ticket: JoinTicket) -> Bool {
    peers.values.contains { peer in
      !peer.code.isEmpty && peer.code != ticket.code && ticket.isFrom(peer)
        && dialers[peer.url]?.state != .refused
    }
  }

  /// Joins a peer, or joins it again; a connection to it that is still there counts no more.
  func join(_ peer: StoredPeer) -> [NodeEffect] {
    // The former membership still counts until the new grant is known to hold.
    formerPeers[peer.url] = formerPeers[peer.url] ?? peers[peer.url]
    peers[peer.url] = peer
    let ended = endRace(peer.url)
    dialers[peer.url] = PeerDialer()
    return ended
  }

  /// Replaces what is known of a peer.
  func update(_ peer: StoredPeer) { peers[peer.url] = peer }

  /// Forgets a peer, or only the attempt to join it again.
  func leave(_ url: String) -> [NodeEffect] {
    let ended = endRace(url)
    peers[url] = formerPeers.removeValue(forKey: url)
    dialers[url] = peers[url] == nil ? nil : PeerDialer()
    return ended
  }

  /// A peer let this library in.
  ///
  /// - Returns: What is to be saved of it.
  func welcome(_ peer: SyncPeer, at url: String, _ address: String?) -> StoredPeer? {
    guard var stored = peers[url] else { return nil }
    stored.node = peer.node
    stored.name = peer.name
    stored.library = stored.library ?? peer.library
    // A hub that made us a new member knows of no earlier grants.
    if !stored.code.isEmpty, !peer.hasToWait { stored.grants = peer.grants }
    stored.code = []
    stored.refusal = nil
    // What the peer grants no more it has heard of.
    stored.givenBack = peer.givenBack
    if let address { stored.prefer(address) }
    peers[url] = stored
    formerPeers[url] = nil
    dialers[url]?.state = .live
    dialers[url]?.attempts = 0
    dialers[url]?.error =
      peer.hasToWait
      ? PeerError(code: PeerError.overQuota, "\(url) takes no more of this library's edits for now")
      : nil
    return stored
  }

  /// A peer refuses this library.
  ///
  /// - Returns: What is to be saved of it; nil while the former membership goes on to count.
  func refuse(_ url: String, _ code: String, _ reason: String) -> StoredPeer? {
    dialers[url]?.state = .refused
    dialers[url]?.error = PeerError(code: code, reason)
    peers[url]?.refusal = code
    return isJoiningAnew(url) ? nil : peers[url]
  }

  /// Forgets that a peer refused, because the cause has changed; it is asked again at once.
  func forgetRefusal(of url: String) {
    dialers[url]?.state = .offline
    dialers[url]?.attempts = 0
    dialers[url]?.comesBackAtOnce = true
  }

  /// A peer has said what it holds.
  func acknowledged(_ url: String, at now: Int64) { peers[url]?.lastAckMilliseconds = now }

  /// Remembers how many changes of a peer are still to come.
  ///
  /// - Returns: The peer, to be stored; nil where that is no news.
  func remember(changesToCome count: Int, from url: String) -> StoredPeer? {
    guard let peer = peers[url], peer.changesToCome ?? 0 != count else { return nil }
    peers[url]?.changesToCome = count
    return peers[url]
  }

  /// Changes what `status` shows of a peer.
  func describe(_ url: String, _ change: (inout PeerDialer) -> Void) {
    guard var dialer = dialers[url] else { return }
    change(&dialer)
    dialers[url] = dialer
  }

  // MARK: Attempts

  /// Begins the attempts at a peer that are due.
  func dial(_ url: String, at now: Int64) -> [NodeEffect] {
    guard var dialer = dialers[url], dialer.connection == nil else { return [] }
    if dialer.race == nil {
      guard dialer.isDue(at: now) else { return [] }
      if dialer.state == .refused, let former = formerPeers.removeValue(forKey: url) {
        // Joining again has failed, and whoever wanted it has seen that: the old membership goes on.
        peers[url] = former
        dialer = PeerDialer()
      }
      guard let peer = peers[url] else { return [] }
      dialer.race = DialRace(peer.addresses, at: now)
      if dialer.state != .refused { dialer.state = .connecting }
    }
    guard let peer = peers[url] else { return [] }
    let due = dialer.race?.start(at: now) ?? []
    dialers[url] = dialer
    return due.map {
      .dial(url: url, address: $0, pin: peer.pin, timeoutMilliseconds: Self.dialMilliseconds)
    }
  }

  /// An address of a peer could not be reached.
  ///
  /// - Returns: Whether it was being tried.
  func fail(_ url: String, _ address: String, _ error: PeerError, at now: Int64) -> Bool {
    // Where the peer was joined again, a later attempt may have come through before.
    guard var dialer = dialers[url], dialer.connection == nil, var race = dialer.race,
      race.fail(address)
    else { return false }
    dialer.race = race
    dialer.error = error
    if race.isOver {
      dialer.race = nil
      // Who was kept waiting for an answer need not wait again.
      wait(&dialer, .offline, since: min(race.begunMilliseconds, now))
    }
    dialers[url] = dialer
    return true
  }

  /// An attempt has come through, which ends the others.
  func connect(_ connection: PeerConnectionID, to url: String, at now: Int64) -> [NodeEffect] {
    let begun = dialers[url]?.race?.begunMilliseconds ?? now
    dialers[url]?.begunMilliseconds = begun
    dialers[url]?.connection = connection
    return endRace(url)
  }

  /// A connection to a peer has ended, and another one is made after a while.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - url: The peer.
  ///   - address: Where it answered without a welcome; nil where it gave one.
  ///   - error: Why it ended, where nothing worse is known.
  ///   - now: The time.
  /// - Returns: Whether it is to be made at once.
  @discardableResult
  func close(
    _ connection: PeerConnectionID,
    to url: String,
    mute address: String?,
    _ error: PeerError,
    at now: Int64
  ) -> Bool {
    guard var dialer = dialers[url], dialer.connection == connection else { return false }
    dialer.connection = nil
    dialer.isCaughtUp = false
    if dialer.error == nil { dialer.error = error }
    let isDue = dialer.comesBackAtOnce
    dialer.comesBackAtOnce = false
    if isDue {
      // Its new id must not become known to the peer through others before.
      dialer.nextAttemptMilliseconds = 0
    } else if dialer.state == .refused {
      wait(&dialer, .refused, since: now)
    } else if let address {
      // Who took the call and gave no welcome is asked last the next time.
      peers[url]?.avoid(address)
      wait(&dialer, .offline, since: min(dialer.begunMilliseconds, now))
    } else {
      wait(&dialer, .offline, since: now)
    }
    dialers[url] = dialer
    return isDue
  }

  /// Dials again after a change of the network: lost peers may be back, and seeming ones lost.
  func changeNetwork(at now: Int64) -> [NodeEffect] {
    var effects: [NodeEffect] = []
    for url in urls {
      guard let dialer = dialers[url] else { continue }
      if let connection = dialer.connection {
        effects.append(.doubt(connection))
      } else if dialer.state != .refused {
        let age = now - (dialer.race?.begunMilliseconds ?? now)
        // Younger ones ask again by themselves soon enough.
        if age >= Self.staleDialMilliseconds || age < 0 { effects += endRace(url) }
        hurry(url)
      }
    }
    return effects
  }

  /// Asks to be left alone by a peer for a while when its connection ends.
  func leaveAlone(_ url: String, milliseconds: UInt64) {
    let longest = UInt64(Self.backoffMilliseconds.upperBound)
    dialers[url]?.retryMilliseconds = Int64(min(milliseconds, longest))
  }

  /// Forgets all backoff of the peers that are not connected.
  func hurry() {
    for url in dialers.keys where dialers[url]?.connection == nil { hurry(url) }
  }

  /// Forgets the backoff of a peer.
  func hurry(_ url: String) {
    dialers[url]?.nextAttemptMilliseconds = 0
    dialers[url]?.attempts = 0
  }

  /// Gives up what is under way to reach a peer.
  private func endRace(_ url: String) -> [NodeEffect] {
    guard dialers[url]?.race != nil else { return [] }
    dialers[url]?.race = nil
    return [.cancelDials(url: url)]
  }

  /// Waits a random time, longer on average after every failure (full jitter).
  private func wait(_ dialer: inout PeerDialer, _ state: PeerConnectionState, since start: Int64) {
    let limit = min(
      Self.backoffMilliseconds.upperBound,
      Self.backoffMilliseconds.lowerBound << Int64(min(dialer.attempts, 10))
    )
    dialer.attempts += 1
    dialer.state = state
    let least = max(state == .refused ? Self.refusedMilliseconds : 0, dialer.retryMilliseconds)
    dialer.retryMilliseconds = 0
    dialer.nextAttemptMilliseconds = start + least + random.milliseconds(upTo: limit)
  }
}

extension StoredPeer {
  private mutating func move(_ address: String, toFront: Bool) {
    guard addresses.contains(address) else { return }
    addresses.removeAll { $0 == address }
    addresses.insert(address, at: toFront ? 0 : addresses.count)
  }

  /// Tries an address before the others from now on.
  fileprivate mutating func prefer(_ address: String) { move(address, toFront: true) }

  /// Tries an address after the others from now on.
  fileprivate mutating func avoid(_ address: String) { move(address, toFront: false) }
}
