import PaletteModel

/// Who is let in: members, and the node ids that they may take, are looked at together.
extension ChangeStore {
  /// Lets a library in by the secret of its member, by a join code, or by both.
  ///
  /// A join code is redeemed by this: it adds to the member whose secret stands beside it, or makes a
  /// new one, whose secret is the fresh one. While the code has not expired the same library may
  /// redeem it again, in case the answer was lost. Who comes back as it was costs no write.
  ///
  /// - Returns: The member, or why it is not let in.
  /// - Throws: `StoreError` when the store failed.
  public func admit(
    _ introduction: Introduction,
    fresh: [UInt8]
  ) throws(StoreError) -> Result<AdmittedMember, AdmissionRefusal> {
    var member =
      introduction.secret.isEmpty
      ? nil : try members.member(hash: SecretHash(of: introduction.secret))
    if member?.kind != .machine { member = nil }
    if let owner = member?.library, owner != introduction.library { return .failure(.used) }
    if member == nil, introduction.code.isEmpty { return .failure(.unknown) }
    if let refusal = try refusal(of: introduction) { return .failure(refusal) }
    var code: StoredGrant?
    if !introduction.code.isEmpty {
      switch try redeemable(introduction.code, by: introduction.library) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let grant): code = grant
      }
    }
    if let member, code == nil || code?.member == member.id {
      return try comeBack(member, introduction)
    }
    return try redeem(code, member, introduction, fresh)
  }

  /// Why nobody may come as this node.
  private func refusal(of introduction: Introduction) throws(StoreError) -> AdmissionRefusal? {
    // Who could speak as this library could write in its name.
    if identity.isOwn(introduction.node) { return .nodeTaken }
    return try bindings.canBind(introduction.node, to: introduction.library) ? nil : .nodeTaken
  }

  /// The grant of a join code; nobody's library is a page's.
  private func redeemable(
    _ code: [UInt8],
    by library: RecordID?
  ) throws(StoreError) -> Result<StoredGrant, AdmissionRefusal> {
    guard let grant = try members.grant(offeredBy: code) else { return .failure(.unknown) }
    if grant.isRevoked { return .failure(.revoked) }
    if let id = grant.member {
      guard let library, try members.member(id)?.library == library else { return .failure(.used) }
    }
    if let end = grant.codeExpiresMilliseconds, end < clock.nowMilliseconds {
      return .failure(.expired)
    }
    return grant.grant.isLive(atMilliseconds: clock.nowMilliseconds)
      ? .success(grant) : .failure(.expired)
  }

  /// Lets a member in that shows its secret and redeems nothing.
  private func comeBack(
    _ member: Member,
    _ introduction: Introduction
  ) throws(StoreError) -> Result<AdmittedMember, AdmissionRefusal> {
    let all = try members.grants(of: member.id)
    let live = all.filter { $0.counts(atMilliseconds: clock.nowMilliseconds) }.map(\.grant)
    if live.isEmpty { return .failure(all.contains(where: \.isRevoked) ? .revoked : .expired) }
    let bound = try bindings.nodes(boundTo: introduction.library)
    let new = try unbound(introduction, bound)
    let isSeen = member.lastSeenMilliseconds.map {
      (0..<60_000).contains(clock.nowMilliseconds - $0)
    }
    var member = member
    if isSeen != true || member.node != introduction.node || !new.isEmpty
      || !introduction.name.isEmpty && member.name.isEmpty
    {
      try transactions.write { () throws(StoreError) in
        member = try members.update(member, introduction)
        try bindings.bind(new, to: introduction.library)
      }
    }
    return .success(
      AdmittedMember(
        member: member,
        grants: live,
        nodes: bound.union(new),
        isFresh: false,
        hasRedeemed: false
      )
    )
  }

  private func redeem(
    _ code: StoredGrant?,
    _ known: Member?,
    _ introduction: Introduction,
    _ fresh: [UInt8]
  ) throws(StoreError) -> Result<AdmittedMember, AdmissionRefusal> {
    guard let code else { return .failure(.unknown) }
    members.countChange(of: known?.id)
    let bound = try bindings.nodes(boundTo: introduction.library)
    let new = try unbound(introduction, bound)
    return try transactions.write { () throws(StoreError) in
      var member = known
      var isFresh = false
      if member == nil, let id = code.member {
        // The answer was lost, and with it the secret.
        try members.replaceSecret(of: id, by: fresh)
        member = try members.member(id)
        isFresh = true
      }
      let present: Member
      if let member {
        present = try members.update(member, introduction)
      } else {
        let name = code.name ?? introduction.name
        let made = try members.insertMember(
          .machine,
          fresh,
          name: name,
          library: introduction.library
        )
        present = try members.update(made, introduction)
        isFresh = true
      }
      try members.give(code, to: present)
      try bindings.bind(new, to: introduction.library)
      return .success(
        AdmittedMember(
          member: present,
          grants: try members.liveGrants(of: present.id),
          nodes: bound.union(new),
          isFresh: isFresh,
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
  ) throws(StoreError) -> Result<Member, AdmissionRefusal> {
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
    _ introduction: Introduction,
    _ bound: Set<NodeID>
  ) throws(StoreError) -> [NodeID] {
    var new: [NodeID] = []
    for node in introduction.otherNodes + [introduction.node] {
      guard !bound.contains(node), !new.contains(node), !identity.isOwn(node),
        try bindings.canBind(node, to: introduction.library)
      else { continue }
      new.append(node)
    }
    return new
  }
}
