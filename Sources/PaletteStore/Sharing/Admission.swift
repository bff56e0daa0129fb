import PaletteMerge
import PaletteModel

/// The admission of libraries and pages: members, and the node ids that they may take, looked at together.
package struct Admission {
  private let members: MemberTable
  private let bindings: BindingTable
  private let identity: LibraryIdentity
  private let transactions: Transactions
  private let clock: StoreClock

  init(
    _ members: MemberTable,
    _ bindings: BindingTable,
    _ identity: LibraryIdentity,
    _ transactions: Transactions,
    _ clock: StoreClock
  ) {
    self.members = members
    self.bindings = bindings
    self.identity = identity
    self.transactions = transactions
    self.clock = clock
  }

  /// Lets a library in by the secret of its member, and redeems a join code that stands beside it.
  ///
  /// The library makes its secret itself, before it redeems its first code: so it shows the same one when
  /// the answer was lost, and nobody else can redeem again. A code adds to the member whose secret stands
  /// beside it, or makes a new member of that secret. Who comes back as it was costs no write.
  ///
  /// - Returns: The member, or why it is not let in.
  /// - Throws: `StoreError` when the store failed.
  package func admit(
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
    // The secret shows that this member redeemed the code before, and only lost the answer.
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
  package func redeem(
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
