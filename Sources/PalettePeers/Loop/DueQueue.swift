/// A queue whose elements become due a fixed time after they were added.
///
/// Nothing is removed early: an element comes with the time at which it was added, so that the caller can
/// tell whether that entry still counts.
struct DueQueue<Element> {
  private let milliseconds: Int64
  private var waiting: [(element: Element, since: Int64)] = []
  /// Elements that are due at once.
  private var urgent: [Element] = []
  /// The number of them that are done already.
  private var done = 0

  /// Creates an empty queue.
  ///
  /// - Parameter milliseconds: How long each element waits.
  init(afterMilliseconds milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The number of elements that wait.
  var count: Int { waiting.count - done + urgent.count }

  /// Adds an element that is due at once.
  mutating func addFirst(_ element: Element) { urgent.append(element) }

  /// Adds an element.
  mutating func add(_ element: Element, at now: Int64) {
    waiting.append((element, now))
  }

  /// Removes and returns the first element that is due.
  ///
  /// After the clock went back everything is due, so that nothing waits forever.
  mutating func next(at now: Int64) -> (element: Element, since: Int64)? {
    if let element = urgent.popLast() { return (element, now) }
    guard done < waiting.count, abs(now - waiting[done].since) >= milliseconds else { return nil }
    defer {
      done += 1
      if done == waiting.count {
        waiting.removeAll(keepingCapacity: done < 64)
        done = 0
      } else if done >= 64, done * 2 > waiting.count {
        waiting.removeFirst(done)
        done = 0
      }
    }
    return waiting[done]
  }
}
