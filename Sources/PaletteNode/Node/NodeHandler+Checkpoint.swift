internal import PaletteStore
internal import WebSocket

extension NodeHandler {
  /// Looks after the write-ahead log where that is due, after everyone was told of the commit.
  ///
  /// - Parameter count: How many changes were committed.
  func scheduleCheckpoint(after count: Int) {
    guard !willCheckpoint, store.logNeedsCare else { return }
    willCheckpoint = true
    // By then all that waited to be sent has left, and whoever edits steadily is not back yet. A long
    // merge mostly has its like at the other end, perhaps on the same disk, and more is to come.
    let delay = count < Self.longMerge ? 2 : 50
    loop.schedule(after: .milliseconds(delay)) { [weak self] in
      self?.willCheckpoint = false
      self?.store.careForLog()
    }
  }

  private static let longMerge = 1_000
}
