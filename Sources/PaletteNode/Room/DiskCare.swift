internal import PaletteMerge
internal import PaletteStore
internal import WebSocket

/// The disk of a library: its free space, and the length of the write-ahead log.
final class DiskCare {
  private unowned let loop: EventLoop
  private let store: ChangeStore
  /// Receives whether there is space for what others write.
  private let onSpace: (Bool) -> Void
  /// True if the write-ahead log is shortened soon.
  private var willCheckpoint = false

  /// The bytes of changes that were committed since the free space was looked at.
  private var uncheckedBytes = 0

  private static let longMerge = 1_000
  /// Space is given back for so long at a time, and others have as long between.
  private static let (workMilliseconds, restMilliseconds) = (Int64(10), 20)
  /// So many bytes of changes are worth a look at the free space, which takes as long as a short statement.
  private static let checkedBytes = 64 << 10

  init(_ loop: EventLoop, _ store: ChangeStore, onSpace: @escaping (Bool) -> Void) {
    self.loop = loop
    self.store = store
    self.onSpace = onSpace
  }

  /// Looks at the free space: when enough was committed, and now and then for what other programs write.
  ///
  /// Others may not fill the disk, some of which is kept for the owner of the library.
  func checkSpace() {
    uncheckedBytes = 0
    // Where it cannot be told, a full disk is met soon enough.
    onSpace(DiskSpace(at: store.folder.path)?.isEnough ?? true)
  }

  /// Gives the disk back what a compaction has made free, a little at a time.
  func giveBackSpace() {
    loop.schedule(after: .milliseconds(Self.restMilliseconds)) { [weak self] in
      guard let self, (try? store.giveBack(within: Self.workMilliseconds)) == true else { return }
      store.careForLog()
      giveBackSpace()
    }
  }

  /// Looks after the write-ahead log where that is due, after everyone was told of the commit.
  ///
  /// - Parameter count: How many changes were committed.
  private func scheduleCheckpoint(after count: Int) {
    guard !willCheckpoint, store.logNeedsCare else { return }
    willCheckpoint = true
    // By then all that waited to be sent has left, and whoever edits steadily is not back yet. A long
    // merge mostly has its like at the other end, perhaps on the same disk, and more is to come: what
    // many commits alter is moved once.
    let delay = count < Self.longMerge ? 2 : 300
    loop.schedule(after: .milliseconds(delay)) { [weak self] in
      self?.willCheckpoint = false
      self?.store.careForLog()
    }
  }
}

extension DiskCare: CommitListener {
  func committed(_ batch: [CommittedChanges]) {
    for changes in batch {
      for entry in changes.changes { uncheckedBytes += entry.bytes.count }
      scheduleCheckpoint(after: changes.changes.count)
    }
    if uncheckedBytes >= Self.checkedBytes { checkSpace() }
  }
}
