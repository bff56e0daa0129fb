import PaletteMerge
import PaletteModel

/// A connection until the welcome: who is there, and whether each lets the other in.
struct Greeting: Sendable {
  /// The step that it has reached.
  private enum Step {
    /// The connection opens.
    case opening
    /// Hello or welcome is awaited.
    case waiting
    /// The acceptor is to prove that it knows the secret.
    case challenging(Challenge)
    /// The secret of this challenge is being looked up.
    case proving(Challenge)
    /// The secrets of this hello are being looked up.
    case deciding(Hello)
  }

  let side: SyncSession.Side
  private let node: NodeID
  private let library: RecordID
  private let name: String
  private let otherNodes: [NodeID]
  private let limits: SyncLimits
  private var step = Step.opening

  init(
    _ side: SyncSession.Side,
    node: NodeID,
    library: RecordID,
    name: String,
    otherNodes: [NodeID],
    limits: SyncLimits
  ) {
    self.side = side
    self.node = node
    self.library = library
    self.name = name
    self.otherNodes = otherNodes
    self.limits = limits
  }

  private var isDialer: Bool { side != .acceptor }

  /// Handles what happened; with the terms when this lets the peer in.
  mutating func handle(
    _ event: SyncEvent,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) -> Terms? {
    switch (step, event) {
    case (.opening, .opened):
      open(milliseconds, &actions)
    case (.proving(let challenge), .found(let hash, let nonce, let address)):
      step = .waiting
      actions.send(.proof(Proof(of: hash, to: challenge, nonce: nonce, at: address)))
    case (.deciding(let hello), .accepted(let admission)):
      return welcome(hello, admission, milliseconds, &actions)
    case (.deciding, .rejected(let close, let code, let reason)),
      (.proving, .rejected(let close, let code, let reason)):
      actions.refuse(close, code, reason)
    case (.opening, _), (.waiting, _), (.challenging, _), (.proving, _), (.deciding, _):
      break
    }
    return nil
  }

  /// Handles a frame; with the terms when this lets us in.
  mutating func receive(
    _ frame: Frame,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) -> Terms? {
    switch (step, frame) {
    case (.waiting, .hello(let hello)) where !isDialer:
      greet(hello, &actions)
    case (.waiting, .challenge(let challenge)) where !isDialer:
      step = .proving(challenge)
      actions.append(.findSecret(challenge.secretID))
    case (.challenging(let challenge), .proof(let proof)) where isDialer:
      verify(proof, of: challenge, milliseconds, &actions)
    case (.waiting, .welcome(let welcome)) where isDialer:
      return enter(welcome, &actions)
    case (.opening, _), (.waiting, _), (.challenging, _), (.proving, _), (.deciding, _):
      actions.fail("this frame is not expected before the welcome")
    }
    return nil
  }

  private mutating func open(_ milliseconds: UInt64, _ actions: inout Actions) {
    step = .waiting
    guard case .dialer(let credentials) = side else { return }
    guard let doubt = credentials.doubt else { return sayHello(milliseconds, &actions) }
    let secret = credentials.code.isEmpty ? credentials.secret : credentials.code
    let challenge = Challenge(about: secret, nonce: doubt.nonce)
    step = .challenging(challenge)
    actions.send(.challenge(challenge))
  }

  private mutating func sayHello(_ milliseconds: UInt64, _ actions: inout Actions) {
    guard case .dialer(let credentials) = side else { return }
    step = .waiting
    let hello = Hello(
      features: SyncProtocol.features,
      node: node,
      library: library,
      name: name,
      milliseconds: milliseconds,
      secret: credentials.secret,
      code: credentials.code,
      otherNodes: Array(otherNodes.suffix(Hello.otherNodesLimit))
    )
    actions.send(.hello(hello))
  }

  /// Shows the secret only to whoever knows it already, at the address that was dialed.
  private mutating func verify(
    _ proof: Proof,
    of challenge: Challenge,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) {
    guard case .dialer(let credentials) = side, let doubt = credentials.doubt else { return }
    let secret = credentials.code.isEmpty ? credentials.secret : credentials.code
    guard proof.answers(challenge, about: secret, at: doubt.address) else {
      return actions.fail("whoever listens there does not know the secret, or is only in between")
    }
    sayHello(milliseconds, &actions)
  }

  private mutating func greet(_ hello: Hello, _ actions: inout Actions) {
    guard hello.versions.contains(where: SyncProtocol.versions.contains) else {
      let theirs = hello.versions.max() ?? 0
      let ours = SyncProtocol.versions.max() ?? 0
      let who = theirs < ours ? "you must upgrade" : "this node must upgrade"
      let reason = "no common protocol version: \(who) (here \(ours), there \(theirs))"
      return actions.refuse(.incompatible, "incompatible", reason)
    }
    step = .deciding(hello)
    actions.append(.authenticate(hello))
  }

  private func welcome(
    _ hello: Hello,
    _ admission: GrantedAccess,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) -> Terms {
    let shared = SyncProtocol.features.filter(hello.features.contains)
    let version = hello.versions.filter(SyncProtocol.versions.contains).max() ?? 1
    let welcome = Welcome(
      version: version,
      node: node,
      library: library,
      name: name,
      grants: admission.grants,
      milliseconds: milliseconds,
      features: admission.hasToWait ? shared + [SyncProtocol.overQuota] : shared
    )
    actions.send(.welcome(welcome))
    let peer = SyncPeer(
      node: hello.node,
      library: hello.library,
      name: hello.name,
      grants: admission.grants,
      hasToWait: admission.hasToWait
    )
    actions.append(.established(peer))
    actions.append(.clock(peerMilliseconds: hello.milliseconds, sentMilliseconds: nil))
    return Terms(
      isDialer: false,
      library: library,
      trust: .member(admission.grants, nodes: admission.nodes),
      features: shared,
      limits: limits
    )
  }

  private func enter(_ welcome: Welcome, _ actions: inout Actions) -> Terms? {
    guard case .dialer(let credentials) = side else { return nil }
    guard SyncProtocol.versions.contains(welcome.version) else {
      actions.fail("version \(welcome.version) was not offered")
      return nil
    }
    guard welcome.frameBytes >= SyncProtocol.leastFrameBytes else {
      actions.fail("the peer takes frames of \(welcome.frameBytes) bytes only")
      return nil
    }
    let givenBack = credentials.givenBack.intersection(welcome.grants.compactMap(\.palette))
    let grants = welcome.grants.filter { grant in
      grant.palette.map { !givenBack.contains($0) } ?? true
    }
    for grant in grants where !credentials.grants.contains(where: { $0.covers(grant) }) {
      let reason =
        "the peer grants \(grant.role.rawValue) where less was agreed: have that revoked there, or join with a code for it"
      actions.append(.refused(code: "scope-changed", reason: reason))
      actions.close(.scopeChanged, reason)
      return nil
    }
    let terms = Terms(
      isDialer: true,
      library: library,
      trust: .hub(grants),
      features: welcome.features,
      limits: limits,
      frameBytes: min(SyncProtocol.frameBytes, Int(clamping: welcome.frameBytes))
    )
    let peer = SyncPeer(
      node: welcome.node,
      library: welcome.library,
      name: welcome.name,
      grants: grants,
      givenBack: givenBack,
      hasToWait: terms.features.contains(SyncProtocol.overQuota)
    )
    actions.append(.established(peer))
    actions.append(.clock(peerMilliseconds: welcome.milliseconds, sentMilliseconds: nil))
    for palette in givenBack.sorted() { actions.send(.giveBack(palette)) }
    return terms
  }
}
