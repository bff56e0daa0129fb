package import PaletteModel

extension SyncSession {
  mutating func open(_ milliseconds: UInt64, _ actions: inout [SyncAction]) {
    phase = .greeting
    guard case .dialer(let token) = side else { return }
    let hello = Hello(
      features: SyncProtocol.features,
      node: node,
      library: library,
      token: token,
      milliseconds: milliseconds
    )
    actions.append(.send(Frame.hello(hello).encoded))
  }

  mutating func greet(_ hello: Hello, _ actions: inout [SyncAction]) {
    actions.append(.clock(peerMilliseconds: hello.milliseconds, sentMilliseconds: nil))
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
    _ grant: Grant,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    phase = .established
    self.grant = grant
    scope = grant.scope
    let shared = SyncProtocol.features.filter(hello.features.contains)
    features = Set(shared)
    let version = hello.versions.filter(SyncProtocol.versions.contains).max() ?? 1
    let welcome = Welcome(
      version: version,
      node: node,
      library: self.library,
      role: grant.role,
      scope: grant.scope,
      token: grant.token,
      milliseconds: milliseconds,
      features: shared
    )
    actions.append(.send(Frame.welcome(welcome).encoded))
    actions.append(
      .established(
        SyncPeer(
          node: hello.node,
          library: hello.library,
          role: grant.role,
          scope: grant.scope,
          token: []
        )
      )
    )
    try begin(library, &actions)
  }

  mutating func enter<Library: SyncLibrary>(
    _ welcome: Welcome,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    actions.append(.clock(peerMilliseconds: welcome.milliseconds, sentMilliseconds: nil))
    guard SyncProtocol.versions.contains(welcome.version) else {
      return fail("version \(welcome.version) was not offered", &actions)
    }
    guard welcome.frameBytes >= SyncProtocol.leastFrameBytes else {
      return fail("the peer takes frames of \(welcome.frameBytes) bytes only", &actions)
    }
    frameBytes = min(frameBytes, Int(clamping: welcome.frameBytes))
    phase = .established
    features = Set(welcome.features)
    scope = welcome.scope
    ownRole = welcome.role
    actions.append(
      .established(
        SyncPeer(
          node: welcome.node,
          library: welcome.library,
          role: welcome.role,
          scope: welcome.scope,
          token: welcome.token
        )
      )
    )
    try begin(library, &actions)
  }

  private mutating func begin<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    actions.append(.send(Frame.credit(limits.creditBytes).encoded))
    let digest = try library.palettes(in: scope).digest
    comparison.ownSummary = digest
    actions.append(.send(Frame.summary(digest).encoded))
  }
}

extension Sequence<Frame.Entry> {
  /// The digest over palettes.
  package var digest: Digest {
    reduce(into: .zero) { $0 += Digest($1.palette, $1.digest) }
  }
}

extension PaletteID {
  /// The group in which the palette is compared: the last byte of its id, which is random.
  var bucket: UInt8 { UInt8(truncatingIfNeeded: record.low) }
}
