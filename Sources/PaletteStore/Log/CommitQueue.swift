/// What was made durable and not taken yet, where somebody takes it.
struct CommitQueue {
  private var waiting: [CommittedChanges] = []

  /// Whether anything is kept; closing forgets all that waits.
  var isOpen = false {
    didSet { if !isOpen { waiting = [] } }
  }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ committed: [CommittedChanges]) {
    if isOpen { waiting += committed }
  }

  mutating func take() -> [CommittedChanges] {
    defer { waiting = [] }
    return waiting
  }
}
