extension EventLoop {
  /// Has long work done on a thread beside the loop, one piece after the other in the order of asking.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes the work holds on to until it is done.
  ///   - work: The work; it may touch nothing of the loop.
  ///   - then: Gets its result, on the loop's thread; never called when the loop ends before.
  /// - Returns: Whether it will be done: so many bytes and so much work can wait, and no more.
  package func perform<Result: Sendable>(
    holding bytes: Int,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result) -> Void
  ) -> Bool {
    lastWork += 1
    let number = lastWork
    let isTaken = worker.add(bytes: bytes) { [inbox] in
      let result = work()
      _ = inbox.push(isUrgent: true) { loop in
        guard let then = loop.works.removeValue(forKey: number) else { return }
        then(result)
      }
    }
    guard isTaken else { return false }
    works[number] = { result in
      if let result = result as? Result { then(result) }
    }
    return true
  }
}
