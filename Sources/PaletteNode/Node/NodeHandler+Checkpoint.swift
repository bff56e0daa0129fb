internal import PaletteStore
internal import WebSocket

extension NodeHandler {
  /// Looks after the write-ahead log where that is due, after everyone was told of the commit.
  func scheduleCheckpoint() {
    guard !willCheckpoint, store.logNeedsCare else { return }
    willCheckpoint = true
    // By then all that waited to be sent has left, and whoever edits steadily is not back yet.
    loop.schedule(after: .milliseconds(2)) { [weak self] in
      self?.willCheckpoint = false
      self?.store.careForLog()
    }
  }
}
