internal import PaletteStore
internal import WebSocket

extension NodeHandler {
  /// Shortens the write-ahead log where it has become long, after everyone was told of the commit.
  func scheduleCheckpoint() {
    guard !willCheckpoint, store.needsCheckpoint else { return }
    willCheckpoint = true
    // By then all that waited to be sent has left, and whoever edits steadily is not back yet.
    loop.schedule(after: .milliseconds(2)) { [weak self] in
      self?.willCheckpoint = false
      self?.store.checkpoint()
    }
  }
}
