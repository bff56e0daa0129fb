import PaletteMerge
import PaletteModel

/// The progress of a session with its palettes; those without work left are not in here.
///
/// A library may have thousands of palettes, and something happens to one of them with every frame. So
/// what is left to do is known without looking at all of them.
struct ProgressTable: Sendable {
  private var states: [PaletteID: PaletteProgress] = [:]
  private var due = DuePalettes()

  /// True if nothing is left to do for any palette.
  var isLive: Bool { states.isEmpty }

  /// The first palette of which something is left to push.
  mutating func nextDue() -> PaletteID? {
    while let palette = due.first {
      if states[palette].isPushing { return palette }
      due.removeFirst()
    }
    return nil
  }

  subscript(palette: PaletteID) -> PaletteProgress? {
    get { states[palette] }
    set {
      states[palette] = newValue
      if newValue.isPushing { due.insert(palette) }
    }
  }
}

/// Palettes in order, each once, as a heap: one of many thousands comes and goes at little cost.
struct DuePalettes: Sendable {
  private var heap: [PaletteID] = []
  private var members: Set<PaletteID> = []

  var first: PaletteID? { heap.first }

  mutating func insert(_ palette: PaletteID) {
    guard members.insert(palette).inserted else { return }
    var index = heap.count
    heap.append(palette)
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast() else { return }
    members.remove(heap.first ?? last)
    guard !heap.isEmpty else { return }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child] < heap[least] { least = child }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}

extension PaletteProgress? {
  fileprivate var isPushing: Bool {
    switch self {
    case .pushing, .pushingSnapshot, .pushingPacked: true
    case .comparing, nil: false
    }
  }
}

/// The work left for one palette; when it is none, new changes are pushed as they come.
enum PaletteProgress: Hashable {
  /// Our frontier was sent; the peer's is awaited.
  case comparing
  /// The log is being pushed; this much the peer has or was sent.
  case pushing(sent: Frontier)
  /// A snapshot is being pushed, and the log after it.
  indirect case pushingSnapshot(PlainPush)
  /// The same, packed.
  indirect case pushingPacked(SnapshotPush)
}
