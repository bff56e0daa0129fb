package import PaletteMerge
package import PaletteModel

/// The way of writes to durability, and the reports of them.
extension ChangeStore {
  /// Runs `body` in a transaction and makes what it wrote durable.
  ///
  /// When it throws, nothing of it is kept. Within a group it is durable when the group is.
  ///
  /// - Parameters:
  ///   - author: Who makes the changes: the library itself, or a member that edits through it.
  ///   - body: What is to be done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, or why it cannot be made durable.
  public func write<Result>(
    as author: AuthorID = .library,
    _ body: (WriteTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let transaction = WriteTransaction(self, author: author)
    let known = identity.ids
    defer { uncounted.insert(transaction.touched) }
    do throws(StoreError) {
      return try transactions.write(transaction) { () throws(StoreError) in try body(transaction) }
    } catch {
      restore(known)
      cache.forget(transaction.touched)
      throw error
    }
  }

  /// Runs `body` and makes everything that it writes durable in one step, at the end.
  ///
  /// Each write inside stands for itself: one that fails leaves nothing and fails no other. Readers
  /// inside see what was written so far. `removeCommitted` gives nothing of it before all is durable.
  ///
  /// All of it is one transaction, so that no reader inside takes a lock of its own.
  ///
  /// - Parameters:
  ///   - body: Any number of reads and writes; their answers are worth nothing if this throws.
  ///   - meanwhile: What can be done while the disk writes, before it is known whether that succeeds.
  ///     It may not use the store, and is left out where nothing is written.
  /// - Throws: Why nothing of it is durable.
  public func group(
    _ body: () -> Void,
    meanwhile: @escaping () -> Void = {}
  ) throws(StoreError) {
    let known = identity.ids
    do throws(StoreError) {
      try transactions.group(body, meanwhile: meanwhile)
    } catch {
      restore(known)
      cache.forgetAll()
      uncounted.insertAll()
      throw error
    }
  }

  /// Forgets what transactions that were undone did to the node's ids and the places it gives.
  private func restore(_ ids: Identities) {
    places.forget()
    identity.restore(ids)
  }

  /// Runs `body` on one state of the library, whatever is committed meanwhile.
  public func read<Result>(_ body: () throws -> Result) throws -> Result {
    try transactions.read(body)
  }

  /// The writes of the group so far.
  public var uncommitted: [CommittedChanges] { transactions.uncommitted }

  /// True if anything was written that the group's end makes durable.
  public var hasUncommittedWrites: Bool { transactions.hasUncommittedWrites }

  /// The number of transactions that were committed since the library was opened.
  public var commitCount: Int { transactions.commitCount }

  /// The time at which the writes of the last group became durable, for measurements.
  public var groupCommitted: ContinuousClock.Instant? { transactions.groupCommitted }

  /// True if what becomes durable is kept for `removeCommitted`.
  public var followsCommits: Bool {
    get { transactions.followsCommits }
    set { transactions.followsCommits = newValue }
  }

  /// True if anything became durable that nobody has asked for yet.
  public var hasCommitted: Bool { transactions.hasCommitted }

  /// Takes out the changes that became durable since, palette by palette, in the order of the
  /// commits.
  ///
  /// Nobody is called in the middle of a commit: whoever wrote asks when it is done with deciding.
  public func removeCommitted() -> [CommittedChanges] { transactions.removeCommitted() }

  /// Carries out edits in a palette as one action that can be undone.
  package func act(
    _ edits: [Edit],
    in palette: PaletteID,
    by author: AuthorID = .library
  ) throws(StoreError) {
    guard !edits.isEmpty else { return }
    try write(as: author) { transaction throws(StoreError) in
      _ = try transaction.palette(palette)?.act(edits)
    }
  }
}

/// Members, and the node ids that they may take, looked at together.
extension ChangeStore {
  /// Lets a library in by the secret of its member, and redeems a join code that stands beside it.
  ///
  /// The library makes its secret itself, before it redeems its first code: so it shows the same one when
  /// the answer was lost, and nobody else can redeem again. A code adds to the member whose secret stands
  /// beside it, or makes a new member of that secret. Who comes back as it was costs no write.
  ///
  /// - Returns: The member, or why it is not let in.
  /// - Throws: `StoreError` when the store failed.
  public func admit(
    _ introduction: Login
  ) throws(StoreError) -> Result<AdmittedMember, LoginRefusal> {
    guard introduction.secret.count == Login.secretBytes else { return .failure(.unknown) }
    let member = try members.member(hash: SecretHash(of: introduction.secret))
    // What is good for the API is good for nothing here.
    if let member, member.kind != .machine { return .failure(.unknown) }
    var code: StoredGrant?
    if !introduction.code.isEmpty {
      switch try redeemable(introduction.code, by: member) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let grant): code = grant
      }
    } else if member == nil {
      return .failure(.unknown)
    }
    guard let library = try library(of: member, introduction, code?.grant) else {
      return .failure(.used)
    }
    // Who could speak as this library could write in its name.
    guard !identity.isOwn(introduction.node), try bindings.canBind(introduction.node, to: library)
    else { return .failure(.nodeTaken) }
    if let member, code == nil || code?.member == member.id {
      return try comeBack(member, introduction, library)
    }
    return try redeem(code, member, introduction, library)
  }

  /// The library that a member's node ids belong to; nil where the secret was taken from another library.
  ///
  /// Whoever says the id of a library that is a member here already, or a hub that was joined, and does
  /// not show its secret, counts as another library: it gets none of its node ids, nor its name.
  private func library(
    of member: Member?,
    _ introduction: Login,
    _ grant: Grant?
  ) throws(StoreError) -> RecordID? {
    let claimed = introduction.library
    guard let member else {
      // A relay of the whole library passes on anybody's changes and says whose ids are whose: it gains
      // nothing by another's id, and a machine whose hub was cloned or has another key stays who it is.
      if let grant, Trust.member([grant]).exchangesBindings { return claimed }
      let isKnown = try members.isKnown(claimed)
      return isKnown ? introduction.ownLibrary : claimed
    }
    guard let library = member.library else { return claimed }
    return library == claimed || library == introduction.ownLibrary ? library : nil
  }

  /// The grant of a join code that nobody has redeemed, or this member.
  private func redeemable(
    _ code: [UInt8],
    by member: Member?
  ) throws(StoreError) -> Result<StoredGrant, LoginRefusal> {
    guard let grant = try members.grant(offeredBy: code) else { return .failure(.unknown) }
    // Its secret shows that the member has redeemed it, and has only lost the answer.
    if let owner = grant.member, owner == member?.id { return .success(grant) }
    if grant.isRevoked { return .failure(.revoked) }
    if grant.member != nil { return .failure(.used) }
    if let end = grant.codeExpiresMilliseconds, end < clock.nowMilliseconds {
      return .failure(.expired)
    }
    return grant.grant.isLive(atMilliseconds: clock.nowMilliseconds)
      ? .success(grant) : .failure(.expired)
  }

  /// Lets a member in that shows its secret and redeems nothing.
  private func comeBack(
    _ member: Member,
    _ introduction: Login,
    _ library: RecordID
  ) throws(StoreError) -> Result<AdmittedMember, LoginRefusal> {
    let all = try members.grants(of: member.id)
    let live = all.filter { $0.counts(atMilliseconds: clock.nowMilliseconds) }.map(\.grant)
    if live.isEmpty { return .failure(all.contains(where: \.isRevoked) ? .revoked : .expired) }
    let bound = try bindings.nodes(boundTo: library)
    let new = try unbound(introduction, bound, library)
    var member = member
    let isAsItWas =
      member.node == introduction.node && new.isEmpty
      && (introduction.name.isEmpty || !member.name.isEmpty)
    if isAsItWas {
      member = try members.seen(member)
    } else {
      try transactions.write { () throws(StoreError) in
        member = try members.update(member, introduction)
        try bindings.bind(new, to: library)
      }
    }
    return .success(
      AdmittedMember(member: member, grants: live, nodes: bound.union(new), hasRedeemed: false)
    )
  }

  private func redeem(
    _ code: StoredGrant?,
    _ known: Member?,
    _ introduction: Login,
    _ library: RecordID
  ) throws(StoreError) -> Result<AdmittedMember, LoginRefusal> {
    guard let code else { return .failure(.unknown) }
    members.countChange(of: known?.id)
    let bound = try bindings.nodes(boundTo: library)
    let new = try unbound(introduction, bound, library)
    return try transactions.write { () throws(StoreError) in
      var present: Member
      if let known {
        present = known
      } else {
        present = try members.insertMember(
          .machine,
          introduction.secret,
          name: code.name ?? introduction.name,
          library: library
        )
      }
      present = try members.update(present, introduction)
      try members.give(code, to: present)
      try bindings.bind(new, to: library)
      return .success(
        AdmittedMember(
          member: present,
          grants: try members.liveGrants(of: present.id),
          nodes: bound.union(new),
          hasRedeemed: true
        )
      )
    }
  }

  /// Redeems a join code for a page: its member is nobody's library.
  ///
  /// - Returns: The member, whose secret is the fresh one; or why there is none.
  /// - Throws: `StoreError` when the store failed.
  public func redeem(
    pageCode code: [UInt8],
    fresh: [UInt8]
  ) throws(StoreError) -> Result<Member, LoginRefusal> {
    let grant: StoredGrant
    switch try redeemable(code, by: nil) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let found): grant = found
    }
    return try transactions.write { () throws(StoreError) in
      let member = try members.insertMember(.page, fresh, name: grant.name ?? "page", library: nil)
      try members.give(grant, to: member)
      return .success(member)
    }
  }

  private func unbound(
    _ introduction: Login,
    _ bound: Set<NodeID>,
    _ library: RecordID
  ) throws(StoreError) -> [NodeID] {
    var new: [NodeID] = []
    for node in introduction.otherNodes + [introduction.node] {
      guard !bound.contains(node), !new.contains(node), !identity.isOwn(node),
        try bindings.canBind(node, to: library)
      else { continue }
      new.append(node)
    }
    return new
  }
}
