package import PaletteStore

/// A joined peer as whoever waits for it sees it.
package struct PeerStanding: Equatable, Sendable {
  /// The name of the peer in commands: its address.
  package let url: String
  /// The state of the connection.
  package let state: PeerConnectionState
  /// True if everything that the peer had at the beginning of the connection is here.
  package let isCaughtUp: Bool
  /// The number of this library's changes the peer has not stated to hold.
  package let pending: Int
  /// The number of changes the peer holds and this library not yet, as far as is known.
  package let toCome: Int
  /// True if each of its addresses was tried in vain.
  package let isUnreachable: Bool
  /// The reason why it is not in sync; nil where nothing is wrong.
  package let error: PeerError?

  /// The error as a person is to read it.
  package var reason: String? { error?.reason }

  /// True if both have all that the other has.
  package var isInSync: Bool { state == .live && isCaughtUp && pending == 0 }
}

extension PeerStanding {
  /// Describes a peer.
  package init(_ peer: PeerState) {
    url = peer.url
    state = peer.state
    isCaughtUp = peer.isCaughtUp
    pending = peer.pending
    toCome = peer.changesToCome
    isUnreachable = peer.isUnreachable
    error = peer.error
  }
}

/// Waiting for a peer that was just joined, until everything that it shares is here.
package struct JoinWaiting {
  /// The outcome of a look at the peer.
  package enum Outcome {
    /// It is to be waited for.
    case waiting(PeerStanding)
    /// Everything is here.
    case caughtUp
    /// It never will be: the peer is to be left.
    case failed(APIError)
  }

  private let url: String
  private let patience: Duration
  private var deadline: ContinuousClock.Instant
  private var lastError: PeerError?
  /// True if the peer was connected when it was last looked at.
  package private(set) var isLive = false

  /// Begins to wait.
  ///
  /// - Parameters:
  ///   - url: The name of the peer.
  ///   - patience: How long it may take to be reached.
  package init(for url: String, within patience: Duration) {
    self.url = url
    self.patience = patience
    deadline = .now + patience
  }

  /// Looks at the peer; nil where it is joined no more.
  package mutating func look(at peer: PeerStanding?) -> Outcome {
    guard let peer else { return .failed(unreachable) }
    lastError = peer.error ?? lastError
    isLive = peer.state == .live
    switch peer.state {
    case .refused: return .failed(.refused(peer))
    case .live where peer.isCaughtUp: return .caughtUp
    // Patience is for a peer that cannot be reached, not for one that has much to send.
    case .live: deadline = .now + patience
    case .connecting, .offline:
      // Whoever answers there is not the node of the code, and will not become it.
      if peer.isUnreachable, lastError?.code == PeerError.otherKey { return .failed(unreachable) }
    }
    return .now < deadline ? .waiting(peer) : .failed(unreachable)
  }

  /// The error of a peer that could not be reached.
  package var unreachable: APIError {
    APIError(
      code: "unreachable",
      message: "\(url) cannot be reached: \(lastError?.reason ?? "no answer")",
      hint: lastError?.code == PeerError.otherKey
        ? "another node answers there, or the key of this one was changed: see that the node runs "
          + "there, and ask for a new code"
        : "see that the node runs there, and that its address can be reached from here"
    )
  }
}

extension APIError {
  /// The code of the error that a peer refuses this library.
  package static func code(ofRefusal error: PeerError?) -> String {
    error?.code == PeerError.incompatible ? PeerError.incompatible : "not-allowed"
  }

  fileprivate static func refused(_ peer: PeerStanding) -> APIError {
    let code = code(ofRefusal: peer.error)
    return APIError(
      code: code,
      message: "\(peer.url) refuses: \(peer.error?.reason ?? "the code is not valid")",
      hint: code == PeerError.incompatible
        ? nil : "a join code works once, and for a limited time; ask for another one"
    )
  }
}
