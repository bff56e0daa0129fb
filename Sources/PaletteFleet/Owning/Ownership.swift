/// An event in the life of a hub.
package enum OwnershipInput: Hashable, Sendable {
  /// A beat was answered; with nil, the hub is dead.
  case beat(BeatAnswer?, sent: Double)
  /// Time passed.
  case tick
  /// Somebody asks for a library, whose row has been looked at.
  case asked(SharedLibrary)
  /// The statement that was to take a library was answered; with nil, it did not.
  case took(SharedLibraryID, LogState?)
  /// The statement failed, perhaps after it was executed.
  case notTaken(SharedLibraryID)
  /// A new connection reached a library.
  case reached(SharedLibraryID)
  /// Nobody has asked for a library for a while.
  case idle(SharedLibraryID)
  /// An append has no known outcome.
  case doubted(SharedLibraryID)
  /// The statement that ends the doubt was answered; with nil, another hub owns the library.
  case doubtEnded(SharedLibraryID, LogState?)
  /// The statement failed, perhaps after it was executed.
  case doubtRemains(SharedLibraryID)
  /// An append was fenced, or the library's file failed after an append was taken.
  case lost(SharedLibraryID)
  /// A library was closed and let go.
  case left(SharedLibraryID)
  /// The hub is to end.
  case drain
}

/// An act that an event leads to.
package enum OwnershipAction: Hashable, Sendable {
  /// Take the library, and tell with `took` or `notTaken`.
  case take(SharedLibrary, LogTaking)
  /// Tell the owner that this hub wants the library, and look again later.
  case want(SharedLibrary)
  /// Look again later.
  case later(SharedLibraryID)
  /// Take no more libraries: the hub is ending or dead.
  case refuse(SharedLibraryID)
  /// Open the library, which is the hub's.
  case open(LogClaim, LogState)
  /// Open it again, so that nothing in memory is older than the file, and apply what the log has.
  case reopen(LogClaim, LogState)
  /// Close it at once: it is not the hub's any more.
  case close(SharedLibraryID)
  /// Close it cleanly, let go of it, and tell with `left`.
  case letGo(LogClaim)
  /// End the doubt, and tell with `doubtEnded` or `doubtRemains`.
  case endDoubt(LogClaim)
  /// Declare a hub dead that stood still for long at a beat, and from which nobody has taken anything.
  case bury(HubID, beat: Int64)
  /// Close all connections: nothing may be answered before the next beat is.
  case suspend
  /// Everything is closed; begin again under a new id.
  case startAgain
}

/// The libraries that a hub owns, and its right to answer: a value without a clock or any input of its own.
///
/// Times are seconds of a clock that counts sleep.
package struct Ownership: Hashable, Sendable {
  /// The time for which a hub may answer after it sent a beat that was answered.
  package static let lease = 5.0
  /// The time without a new connection after which a wanted library is handed over.
  package static let quiet = 2.0

  /// The hub.
  package let hub: HubID
  private var tenures: [SharedLibraryID: Tenure] = [:]
  private var handovers: [SharedLibraryID: Handovers] = [:]
  private var judge = BeatJudge()
  private var leaseEnd = -Double.infinity
  private var isSuspended = true
  private var isDraining = false
  private var isDead = false

  /// A hub that has just been registered.
  package init(_ hub: HubID) {
    self.hub = hub
  }

  /// Returns whether the hub may answer from its caches.
  package func hasLease(at now: Double) -> Bool { !isDead && now < leaseEnd }

  /// Takes note of a beat that was answered, of which all else is heard later.
  ///
  /// The hub was alive at that beat, and whoever takes anything from it declares it dead.
  package mutating func renewLease(sent: Double, at now: Double) {
    leaseEnd = max(leaseEnd, sent + Self.lease)
    if now < leaseEnd { isSuspended = false }
  }

  /// Returns whether the hub may answer for a library.
  package func mayAnswer(_ library: SharedLibraryID, at now: Double) -> Bool {
    hasLease(at: now) && tenures[library]?.phase == .owned
  }

  /// The claim under which an append may be tried; nil where none may.
  package func claim(_ library: SharedLibraryID, at now: Double) -> LogClaim? {
    guard mayAnswer(library, at: now), let tenure = tenures[library] else { return nil }
    return claim(library, tenure)
  }

  /// Returns whether a library is being closed, to be let go.
  package func isLeaving(_ library: SharedLibraryID) -> Bool {
    tenures[library]?.phase == .leaving
  }

  /// Returns whether another hub is dead, or stood still for so long that its libraries may be taken.
  package func isGone(_ other: HubID) -> Bool {
    !judge.isListed(other) || judge.stillBeat(of: other) != nil
  }

  /// The number of libraries that the hub has or is taking.
  package var count: Int { tenures.count }

  /// Takes note of an event.
  ///
  /// - Parameters:
  ///   - input: The event.
  ///   - now: The time.
  /// - Returns: The acts that follow.
  package mutating func handle(_ input: OwnershipInput, at now: Double) -> [OwnershipAction] {
    guard !isDead else { return Self.afterDeath(input) }
    switch input {
    case .beat(nil, sent: _): return die()
    case .beat(let answer?, let sent): return beat(answer, sent: sent, now)
    case .tick: return suspended(at: now)
    case .asked(let library): return ask(library, now)
    case .took(let library, let state): return took(library, state, now)
    case .notTaken(let library):
      // If it is the hub's nevertheless, a beat will name it, and it is let go.
      tenures[library] = nil
      return [.later(library)]
    case .reached(let library):
      tenures[library]?.touched = now
      return []
    case .idle(let library): return leave(library)
    case .doubted(let library): return doubt(library)
    case .doubtEnded(let library, let state): return doubtEnded(library, state, now)
    case .doubtRemains(let library):
      if case .doubt = tenures[library]?.phase {
        tenures[library]?.phase = .doubt(isAsked: false)
      }
      return []
    case .lost(let library):
      return tenures.removeValue(forKey: library) == nil ? [] : [.close(library)]
    case .left(let library):
      if tenures[library]?.phase == .leaving { tenures[library] = nil }
      return []
    case .drain:
      isDraining = true
      return tenures.keys.sorted().flatMap { leave($0) }
    }
  }

  // MARK: Beats

  private mutating func beat(
    _ answer: BeatAnswer,
    sent: Double,
    _ now: Double
  ) -> [OwnershipAction] {
    renewLease(sent: sent, at: now)
    judge.note(answer.beats.filter { $0.key != hub }, sent: sent, now: now)
    var actions: [OwnershipAction] = []
    // In order, so that the same events lead to the same acts in every run.
    for library in tenures.keys.sorted() {
      guard let tenure = tenures[library], tenure.since <= sent else { continue }
      actions += check(library, tenure, answer.owned[library], now)
    }
    for library in answer.owned.keys.sorted() where tenures[library] == nil {
      guard let owned = answer.owned[library] else { continue }
      // An earlier owner's row came back, or a taking was executed unheard.
      actions.append(.letGo(LogClaim(library, hub: hub, epoch: owned.epoch)))
    }
    actions += judge.forgotten.map { .bury($0.hub, beat: $0.beat) }
    return actions + suspended(at: now)
  }

  /// Compares a tenure with a beat that was sent after it began.
  private mutating func check(
    _ library: SharedLibraryID,
    _ tenure: Tenure,
    _ owned: BeatAnswer.Owned?,
    _ now: Double
  ) -> [OwnershipAction] {
    switch tenure.phase {
    case .taking, .leaving, .doubt(isAsked: true): return []
    case .doubt(isAsked: false):
      guard let owned else { return handle(.lost(library), at: now) }
      // The end of the doubt may have been executed unheard.
      tenures[library]?.epoch = owned.epoch
      return doubt(library)
    case .owned:
      guard let owned, owned.epoch == tenure.epoch else { return handle(.lost(library), at: now) }
      guard let other = owned.wanted, judge.isListed(other) else { return [] }
      // It holds it for a moment, so that no two hubs can pass the library to and fro.
      if other.isCommand { return leave(library) }
      return handOver(library, tenure, now)
    }
  }

  private mutating func handOver(
    _ library: SharedLibraryID,
    _ tenure: Tenure,
    _ now: Double
  ) -> [OwnershipAction] {
    let hold = handovers[library, default: Handovers()].hold(at: now)
    guard now - tenure.began >= hold, now - tenure.touched >= Self.quiet else { return [] }
    handovers[library, default: Handovers()].add(at: now)
    return leave(library)
  }

  private mutating func suspended(at now: Double) -> [OwnershipAction] {
    guard !isSuspended, !hasLease(at: now) else { return [] }
    isSuspended = true
    return [.suspend]
  }

  private mutating func die() -> [OwnershipAction] {
    let libraries = tenures.keys.sorted()
    isDead = true
    tenures = [:]
    return libraries.map { .close($0) } + [.startAgain]
  }

  private static func afterDeath(_ input: OwnershipInput) -> [OwnershipAction] {
    if case .asked(let library) = input { return [.refuse(library.id)] }
    return []
  }

  // MARK: Taking and leaving

  private mutating func ask(_ library: SharedLibrary, _ now: Double) -> [OwnershipAction] {
    guard !isDraining else { return [.refuse(library.id)] }
    guard hasLease(at: now) else { return [.later(library.id)] }
    guard tenures[library.id] == nil else { return [] }
    guard let owner = library.owner else {
      // A page whose connection was closed for a command is back before the command has looked again.
      if let other = library.wanted, other.isCommand, !isGone(other) { return [.later(library.id)] }
      return take(library, .free, now)
    }
    // Nobody opens it here: the next beat lets it go.
    guard owner != hub else { return [.later(library.id)] }
    guard let row = library.hub, !row.isDead else { return take(library, .dead(owner), now) }
    if let beat = judge.stillBeat(of: owner), beat == row.beat {
      return take(library, .stoodStill(owner, beat: beat), now)
    }
    return library.wanted == hub ? [.later(library.id)] : [.want(library)]
  }

  private mutating func take(
    _ library: SharedLibrary,
    _ reason: LogTaking,
    _ now: Double
  ) -> [OwnershipAction] {
    let epoch = library.state.epoch
    tenures[library.id] = Tenure(
      phase: .taking,
      epoch: epoch,
      since: now,
      began: now,
      touched: now
    )
    return [.take(library, reason)]
  }

  private mutating func took(
    _ library: SharedLibraryID,
    _ state: LogState?,
    _ now: Double
  ) -> [OwnershipAction] {
    guard var tenure = tenures[library], tenure.phase == .taking else { return [] }
    guard let state else {
      tenures[library] = nil
      return [.later(library)]
    }
    tenure.phase = .owned
    tenure.epoch = state.epoch
    (tenure.since, tenure.began, tenure.touched) = (now, now, now)
    tenures[library] = tenure
    return isDraining ? leave(library) : [.open(claim(library, tenure), state)]
  }

  private mutating func leave(_ library: SharedLibraryID) -> [OwnershipAction] {
    guard let tenure = tenures[library], tenure.phase == .owned else { return [] }
    tenures[library]?.phase = .leaving
    return [.letGo(claim(library, tenure))]
  }

  // MARK: Doubt

  private mutating func doubt(_ library: SharedLibraryID) -> [OwnershipAction] {
    guard let tenure = tenures[library], tenure.phase != .taking, tenure.phase != .leaving
    else { return [] }
    tenures[library]?.phase = .doubt(isAsked: true)
    return [.endDoubt(claim(library, tenure))]
  }

  private mutating func doubtEnded(
    _ library: SharedLibraryID,
    _ state: LogState?,
    _ now: Double
  ) -> [OwnershipAction] {
    guard var tenure = tenures[library], tenure.phase == .doubt(isAsked: true) else { return [] }
    guard let state else { return handle(.lost(library), at: now) }
    tenure.phase = .owned
    tenure.epoch = state.epoch
    tenure.since = now
    tenures[library] = tenure
    return isDraining ? leave(library) : [.reopen(claim(library, tenure), state)]
  }

  private func claim(_ library: SharedLibraryID, _ tenure: Tenure) -> LogClaim {
    LogClaim(library, hub: hub, epoch: tenure.epoch)
  }
}
