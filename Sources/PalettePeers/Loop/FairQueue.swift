/// The limits of what one session may have done.
public struct FairLimits: Sendable {
  /// The cost that is done in a second, in the long run.
  @usableFromInline let perSecond: Int64
  /// The cost that is done at once after a quiet time.
  @usableFromInline let burst: Int64

  /// Limits the cost in a second, and at once.
  public init(perSecond: Int64, burst: Int64) {
    self.perSecond = perSecond
    self.burst = burst
  }
}

/// The work that sessions ask for: in order within a session, by turns between them, and each only
/// as fast as the limits allow.
///
/// A limit delays work and never drops it. Whoever fills the queue has to bound it.
///
/// Its state is open to the compiler, so that the queue of another target is code of its own: it would ask for
/// its types at run time otherwise, several times in every call.
public struct FairQueue<Session: Hashable, Work> {
  @usableFromInline
  struct Line {
    @usableFromInline var waiting: [(work: Work, cost: Int)] = []
    /// The number of the waiting that are done already.
    @usableFromInline var done = 0
    /// The cost that may be done, in thousandths; below zero after something large.
    @usableFromInline var allowance: Int64
    @usableFromInline var updated: Int64

    @inlinable
    init(allowance: Int64, updated: Int64) {
      self.allowance = allowance
      self.updated = updated
    }

    @inlinable var isEmpty: Bool { done == waiting.count }
    @inlinable var count: Int { waiting.count - done }

    @inlinable
    mutating func refill(_ limits: FairLimits, at milliseconds: Int64) {
      // A clock that goes back gives nothing, and one that leaps gives no more than a burst.
      let elapsed = min(max(0, milliseconds - updated), 3_600_000)
      updated = milliseconds
      allowance = min(limits.burst * 1000, allowance + elapsed * limits.perSecond)
    }

    /// Adds work; returns whether none waited before.
    @inlinable
    mutating func add(_ work: Work, cost: Int) -> Bool {
      let wasEmpty = isEmpty
      waiting.append((work, cost))
      return wasEmpty
    }

    /// Removes the next work, if the limits allow any; returns it, and whether more waits.
    @inlinable
    mutating func next(
      _ limits: FairLimits,
      at milliseconds: Int64
    ) -> (work: Work, hasMore: Bool)? {
      refill(limits, at: milliseconds)
      return allowance > 0 ? (removeFirst(), !isEmpty) : nil
    }

    @inlinable
    mutating func putBack(_ entry: (work: Work, cost: Int)) {
      if done > 0 {
        done -= 1
        waiting[done] = entry
      } else {
        waiting.insert(entry, at: 0)
      }
    }

    @inlinable
    mutating func removeFirst() -> Work {
      let entry = waiting[done]
      allowance -= Int64(entry.cost) * 1000
      done += 1
      if isEmpty {
        waiting.removeAll(keepingCapacity: true)
        done = 0
      } else if done >= 1024, done * 2 > waiting.count {
        waiting.removeFirst(done)
        done = 0
      }
      return entry.work
    }
  }

  @usableFromInline let limits: FairLimits
  @usableFromInline var lines: [Session: Line] = [:]
  /// The sessions that have something waiting, whose turn it is first.
  @usableFromInline var order: ArraySlice<Session> = []

  /// Begins without work.
  @inlinable
  public init(limits: FairLimits) {
    self.limits = limits
  }

  /// True if nothing waits.
  @inlinable
  public var isEmpty: Bool { order.isEmpty }

  /// The amount that waits for a session.
  @inlinable
  public func count(of session: Session) -> Int { lines[session]?.count ?? 0 }

  /// Adds work behind what the session wants done already.
  @inlinable
  public mutating func add(_ work: Work, cost: Int, from session: Session, at milliseconds: Int64) {
    let new = Line(allowance: limits.burst * 1000, updated: milliseconds)
    if lines[session, default: new].add(work, cost: cost) { order.append(session) }
  }

  /// Puts work back at the head of its session's line, at no cost.
  @inlinable
  public mutating func putBack(_ work: Work, from session: Session, at milliseconds: Int64) {
    guard let line = lines[session], !line.isEmpty else {
      return add(work, cost: 0, from: session, at: milliseconds)
    }
    lines[session]?.putBack((work, 0))
  }

  /// The next work that may be done now, of the session whose turn it is.
  ///
  /// - Parameters:
  ///   - milliseconds: The time.
  ///   - isReady: Whether a session wants anything done yet.
  /// - Returns: The work and its session; nil when there is none now.
  @inlinable
  public mutating func next(
    at milliseconds: Int64,
    where isReady: (Session) -> Bool = { _ in true }
  ) -> (session: Session, work: Work)? {
    for index in order.indices {
      let session = order[index]
      guard isReady(session), let next = lines[session]?.next(limits, at: milliseconds) else {
        continue
      }
      // Taking the first from a slice moves nothing.
      if index == order.startIndex { order.removeFirst() } else { order.remove(at: index) }
      if next.hasMore { order.append(session) }
      return (session, next.work)
    }
    return nil
  }

  /// The same, where some sessions come first: the others only when none of those wants anything.
  @inlinable
  public mutating func next(
    at milliseconds: Int64,
    where isReady: (Session) -> Bool,
    preferring comesFirst: (Session) -> Bool
  ) -> (session: Session, work: Work)? {
    next(at: milliseconds) { isReady($0) && comesFirst($0) }
      ?? next(at: milliseconds, where: isReady)
  }

  /// The time that to wait until something may be done; nil when nothing waits.
  ///
  /// - Parameters:
  ///   - milliseconds: The time.
  ///   - least: How long a session itself wants to wait.
  /// - Returns: The time to wait, in milliseconds.
  @inlinable
  public func delayMilliseconds(
    at milliseconds: Int64,
    least: (Session) -> Int64 = { _ in 0 }
  ) -> Int64? {
    order.compactMap { session -> Int64? in
      guard var line = lines[session] else { return nil }
      line.refill(limits, at: milliseconds)
      let delay = line.allowance > 0 ? 0 : -line.allowance / limits.perSecond + 1
      return max(delay, least(session))
    }.min()
  }

  /// Forgets a session that has ended, with what it still wanted.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - isKept: What is to be done all the same.
  @inlinable
  public mutating func remove(_ session: Session, keeping isKept: (Work) -> Bool = { _ in false }) {
    guard var line = lines.removeValue(forKey: session) else { return }
    let kept = line.waiting[line.done...].filter { isKept($0.work) }
    guard kept.isEmpty else {
      (line.waiting, line.done) = (kept, 0)
      lines[session] = line
      return
    }
    order.removeAll { $0 == session }
  }
}
