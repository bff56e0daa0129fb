/// What comes up again a fixed time after it was put here, in order, without looking at the rest.
///
/// Whoever took something out early, or put it here again, says so when it comes up: entries carry
/// the time at which they were put here.
struct DueQueue<Element> {
  private let milliseconds: Int64
  private var waiting: [(element: Element, since: Int64)] = []
  /// What comes up at once.
  private var urgent: [Element] = []
  /// How many of them are done already.
  private var done = 0

  /// Creates an empty one.
  ///
  /// - Parameter milliseconds: How long each element waits.
  init(afterMilliseconds milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// How many elements wait.
  var count: Int { waiting.count - done + urgent.count }

  /// Has an element come up at once.
  mutating func addFirst(_ element: Element) { urgent.append(element) }

  /// Puts an element here.
  mutating func add(_ element: Element, at now: Int64) {
    waiting.append((element, now))
  }

  /// Takes the first element, if it has waited long enough.
  ///
  /// A clock that went back must not keep anything waiting: then it comes up at once.
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
