internal import PalettePeers
internal import WebSocket

/// Work that takes too long for the loop and is done beside it: a piece at a time, its clients by
/// turns.
final class SlowWork {
  /// Nothing is limited but how many wait, which the connections bound.
  private static let limits = FairLimits(perSecond: 1_000_000, burst: 1_000_000)

  private unowned let loop: EventLoop
  private let time: LoopTime
  private var waiting = FairQueue<Payer, () -> Bool>(limits: SlowWork.limits)
  private var isBusy = false

  init(_ loop: EventLoop, _ time: LoopTime) {
    self.loop = loop
    self.time = time
  }

  /// Queues work, and runs it when it is its payer's turn.
  ///
  /// - Parameters:
  ///   - payer: Who asks.
  ///   - work: The work; it may touch nothing of the loop.
  ///   - then: Gets its result, on the loop's thread; nil where the system has no thread for it.
  func perform<Result: Sendable>(
    for payer: Payer,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result?) -> Void
  ) {
    let begin = { [unowned self] in
      let isAccepted = loop.perform(holding: 0, isSlow: true, work) { [weak self] result in
        self?.isBusy = false
        then(result)
        self?.goOn()
      }
      if !isAccepted { then(nil) }
      return isAccepted
    }
    waiting.add(begin, cost: 1, from: payer, at: milliseconds)
    goOn()
  }

  private var milliseconds: Int64 { time.microseconds / 1_000 }

  private func goOn() {
    while !isBusy, let next = waiting.next(at: milliseconds) { isBusy = next.work() }
  }
}
