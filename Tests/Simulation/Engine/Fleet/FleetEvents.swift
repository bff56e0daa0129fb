/// The coming events of a fleet, in order of time; at one moment, in order of scheduling.
struct FleetEvents {
  enum Event {
    case step(Int)
    case look(wire: UInt64, end: Int)
    case tick(Int, start: Int)
    case flush(Int, start: Int)
    case start(Int)
    case dialed(Int, start: Int, url: String, address: String)
    case dialFailed(Int, start: Int, url: String, address: String)
    case lost(wire: UInt64, end: Int)
    case share(Script.Edge)
    case lie(Int)
    case sendAway(Int, isBegun: Bool)
    case file(FileEvent)
    case compaction(Fleet.SteppedCompaction)
  }

  private struct Entry {
    let time: Int64
    let order: UInt64
    let event: Event

    func precedes(_ other: Entry) -> Bool {
      time == other.time ? order < other.order : time < other.time
    }
  }

  private var heap: [Entry] = []
  private var lastOrder: UInt64 = 0

  mutating func schedule(_ event: Event, at time: Int64) {
    lastOrder += 1
    heap.append(Entry(time: time, order: lastOrder, event: event))
    var child = heap.count - 1
    while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the next event out, unless that lies beyond a time.
  mutating func next(until limit: Int64) -> (time: Int64, event: Event)? {
    guard let first = heap.first, first.time <= limit, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.event)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].precedes(heap[least]) { least = child }
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
