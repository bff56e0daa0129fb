/// The frames of those who had their share of the loop's time: they wait behind everybody else, each
/// connection's in order, and are taken at once where nobody else wants anything.
package struct DelayedFrames<Connection: Hashable> {
  /// The time that frames are taken before others have their turn, in microseconds.
  package static var sliceMicroseconds: Int64 { 5_000 }
  /// Nothing is limited but how many wait: their connections are not read meanwhile.
  private static var limits: FairLimits { FairLimits(perSecond: 1_000_000, burst: 1_000_000) }

  private let time: LoopTime
  private var waiting = FairQueue<Connection, [UInt8]>(limits: limits)
  private var payers: [Connection: Payer] = [:]
  /// True if others sent something since frames were taken last.
  private var othersCame = false
  /// True if those who had their share may have frames taken now.
  private var isQuiet = true
  private var end: Int64 = 0

  package init(_ time: LoopTime) {
    self.time = time
  }

  /// True if nothing waits.
  package var isEmpty: Bool { payers.isEmpty }

  /// Returns whether frames of a connection wait.
  package func holds(_ connection: Connection) -> Bool { payers[connection] != nil }

  /// Takes in a frame that has to wait.
  ///
  /// - Returns: Whether it has to; if not, it is to be taken now.
  package mutating func delays(
    _ frame: [UInt8],
    on connection: Connection,
    of payer: Payer
  ) -> Bool {
    guard holds(connection) || time.isOver(payer) else {
      othersCame = true
      return false
    }
    time.countWait(of: payer)
    payers[connection] = payer
    waiting.add(frame, cost: 1, from: connection, at: milliseconds)
    return true
  }

  /// Begins to take frames, after everything was read that others had sent.
  package mutating func begin() {
    isQuiet = !othersCame
    othersCame = false
    end = time.microseconds + Self.sliceMicroseconds
  }

  /// The next frame to be taken; nil when it is the turn of others, or nothing waits.
  package mutating func next() -> (connection: Connection, frame: [UInt8])? {
    guard !isEmpty, time.microseconds < end else { return nil }
    let hasShare = { [payers, time] (connection: Connection) in
      payers[connection].map { !time.isOver($0) } ?? true
    }
    let isQuiet = isQuiet
    guard
      let next = waiting.next(
        at: milliseconds,
        where: { isQuiet || hasShare($0) },
        preferring: hasShare
      )
    else { return nil }
    if waiting.count(of: next.session) == 0 { payers[next.session] = nil }
    return (next.session, next.work)
  }

  /// Forgets a connection that has ended.
  package mutating func remove(_ connection: Connection) {
    guard payers.removeValue(forKey: connection) != nil else { return }
    waiting.remove(connection)
  }

  private var milliseconds: Int64 { time.microseconds / 1_000 }
}
