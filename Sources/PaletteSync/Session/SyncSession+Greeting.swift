package import PaletteModel

extension SyncSession {
  mutating func open(_ milliseconds: UInt64, _ actions: inout [SyncAction]) {
    phase = .greeting
    guard case .dialer(let credentials) = side else { return }
    guard let nonce = credentials.nonce else { return sayHello(milliseconds, &actions) }
    let secret = credentials.code.isEmpty ? credentials.secret : credentials.code
    let challenge = Challenge(about: secret, nonce: nonce)
    phase = .challenging(challenge)
    actions.append(.send(Frame.challenge(challenge).encoded))
  }

  private mutating func sayHello(_ milliseconds: UInt64, _ actions: inout [SyncAction]) {
    guard case .dialer(let credentials) = side else { return }
    phase = .greeting
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
    actions.append(.send(Frame.hello(hello).encoded))
  }

  /// Shows the secret only to whoever knows it already.
  mutating func take(
    _ proof: Proof,
    to challenge: Challenge,
    _ milliseconds: UInt64,
    _ actions: inout [SyncAction]
  ) {
    guard case .dialer(let credentials) = side else { return }
    let secret = credentials.code.isEmpty ? credentials.secret : credentials.code
    guard proof.answers(challenge, about: secret) else {
      return fail("whoever listens there does not know the secret", &actions)
    }
    sayHello(milliseconds, &actions)
  }

  mutating func greet(_ hello: Hello, _ actions: inout [SyncAction]) {
    guard hello.versions.contains(where: SyncProtocol.versions.contains) else {
      let theirs = hello.versions.max() ?? 0
      let ours = SyncProtocol.versions.max() ?? 0
      let who = theirs < ours ? "you must upgrade" : "this node must upgrade"
      return refuse(
        .incompatible,
        code: "incompatible",
        reason: "no common protocol version: \(who) (here \(ours), there \(theirs))",
        &actions
      )
    }
    phase = .deciding(hello)
    actions.append(.authenticate(hello))
  }

  mutating func welcome<Library: SyncLibrary>(
    _ hello: Hello,
    _ admission: Admittance,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    phase = .established
    trust = .member(admission.grants, nodes: admission.nodes)
    let shared = SyncProtocol.features.filter(hello.features.contains)
    features = Set(shared)
    let version = hello.versions.filter(SyncProtocol.versions.contains).max() ?? 1
    let welcome = Welcome(
      version: version,
      node: node,
      library: self.library,
      name: name,
      grants: admission.grants,
      milliseconds: milliseconds,
      secret: admission.secret,
      features: admission.hasToWait ? shared + [SyncProtocol.overQuota] : shared
    )
    actions.append(.send(Frame.welcome(welcome).encoded))
    actions.append(
      .established(
        SyncPeer(
          node: hello.node,
          library: hello.library,
          name: hello.name,
          grants: admission.grants,
          secret: [],
          hasToWait: admission.hasToWait
        )
      )
    )
    actions.append(.clock(peerMilliseconds: hello.milliseconds, sentMilliseconds: nil))
    try begin(library, &actions)
  }

  mutating func enter<Library: SyncLibrary>(
    _ welcome: Welcome,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard case .dialer(let credentials) = side else { return }
    guard SyncProtocol.versions.contains(welcome.version) else {
      return fail("version \(welcome.version) was not offered", &actions)
    }
    guard welcome.frameBytes >= SyncProtocol.leastFrameBytes else {
      return fail("the peer takes frames of \(welcome.frameBytes) bytes only", &actions)
    }
    for grant in welcome.grants where !credentials.grants.contains(where: { $0.covers(grant) }) {
      let reason = "the peer grants \(grant.role.rawValue) where less was agreed: join again"
      actions.append(.refused(code: "scope-changed", reason: reason))
      return close(.scopeChanged, reason, &actions)
    }
    frameBytes = min(frameBytes, Int(clamping: welcome.frameBytes))
    phase = .established
    features = Set(welcome.features)
    trust = .hub(welcome.grants)
    actions.append(
      .established(
        SyncPeer(
          node: welcome.node,
          library: welcome.library,
          name: welcome.name,
          grants: welcome.grants,
          secret: welcome.secret,
          hasToWait: features.contains(SyncProtocol.overQuota)
        )
      )
    )
    actions.append(.clock(peerMilliseconds: welcome.milliseconds, sentMilliseconds: nil))
    try begin(library, &actions)
  }

  /// What a node keeps of what a peer of the same people states: frontiers of 100,000 palettes.
  private static let relayStatementBytes = 64 << 20

  private mutating func begin<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    if isDialer || trust.exchangesBindings { budget.statementBytes = Self.relayStatementBytes }
    actions.append(.send(Frame.credit(limits.creditBytes).encoded))
    let digest = try library.digest(in: trust.scope)
    comparison.ownSummary = digest
    actions.append(.send(Frame.summary(digest).encoded))
  }

  /// Tells the peer which node ids belong to which library, where it may know.
  func tell(_ bindings: [Frame.Binding], _ actions: inout [SyncAction]) {
    guard trust.isToldOwnBindings else { return }
    // Which ids others have is told to those who share the whole library.
    let own = library
    var rest = trust.exchangesBindings ? bindings[...] : bindings.filter { $0.library == own }[...]
    while !rest.isEmpty {
      let part = rest.prefix(SyncProtocol.bindingEntries)
      actions.append(.send(Frame.bindings(Array(part)).encoded))
      rest = rest.dropFirst(part.count)
    }
  }
}

extension Sequence<Frame.Entry> {
  /// The digest over palettes.
  package var digest: Digest {
    reduce(into: .zero) { $0 += Digest($1.palette, $1.digest) }
  }

  /// The digests over palettes by the last byte of their ids.
  package var bucketDigests: [Digest] {
    reduce(into: [Digest](repeating: .zero, count: SyncProtocol.buckets)) { digests, entry in
      digests[Int(entry.palette.bucket)] += Digest(entry.palette, entry.digest)
    }
  }
}
