/// The name of a scheduled action.
package struct TimerID: Hashable, Sendable {
  let rawValue: UInt64
}

/// Actions by due time, earliest first; equal times run in the order they were scheduled.
struct TimerQueue {
  private struct Entry {
    let due: Int64
    let id: TimerID

    func isBefore(_ other: Entry) -> Bool {
      (due, id.rawValue) < (other.due, other.id.rawValue)
    }
  }

  /// A binary heap; entries without an action were cancelled and vanish when they come up.
  private var heap: [Entry] = []
  private var actions: [TimerID: () -> Void] = [:]
  private var lastID: UInt64 = 0

  var count: Int { actions.count }

  mutating func schedule(at due: Int64, _ action: @escaping () -> Void) -> TimerID {
    lastID += 1
    let id = TimerID(rawValue: lastID)
    actions[id] = action
    heap.append(Entry(due: due, id: id))
    siftUp()
    return id
  }

  mutating func cancel(_ id: TimerID) {
    guard actions.removeValue(forKey: id) != nil else { return }
    // Cancelled entries may not outgrow the live ones, or a peer could make them pile up.
    if heap.count > 64, heap.count > 2 * actions.count { rebuild() }
  }

  /// The time of the earliest action.
  mutating func nextDue() -> Int64? {
    while let first = heap.first, actions[first.id] == nil { removeFirst() }
    return heap.first?.due
  }

  /// Takes the earliest action, if it is due.
  mutating func popDue(at now: Int64) -> (() -> Void)? {
    guard let due = nextDue(), due <= now, let id = heap.first?.id else { return nil }
    removeFirst()
    return actions.removeValue(forKey: id)
  }

  private mutating func rebuild() {
    // A sorted array is a heap.
    heap = heap.filter { actions[$0.id] != nil }.sorted { $0.isBefore($1) }
  }

  private mutating func siftUp() {
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].isBefore(heap[parent]) else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right].isBefore(heap[left]) ? right : left
      guard heap[child].isBefore(heap[index]) else { return }
      heap.swapAt(index, child)
      index = child
    }
  }
}

extension Duration {
  /// The duration in whole microseconds.
  var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
