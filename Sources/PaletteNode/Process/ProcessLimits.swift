internal import PalettePlatform
package import PaletteStore

/// The budgets of a process that serves libraries.
package struct ProcessLimits: Sendable {
  /// The most rooms that are open at once.
  package var rooms: Int
  /// The time after which a room is closed that nobody uses; nil to leave it open.
  package var idleTime: Duration?
  /// The memory that all rooms together keep for speed.
  package var memory = RoomMemory()

  /// The most descriptors of an open room beside its connections: the folder, the lock, the database, its
  /// log twice and its index, and one to spare.
  package static let descriptorsOfRoom = 7

  /// Creates the limits of a process that keeps its rooms open: they may have a quarter of its descriptors,
  /// and connections the rest.
  package init() {
    let descriptors = Platform.openFileLimit.map { Int(clamping: $0.rlim_cur) } ?? 1024
    rooms = max(1, descriptors / 4 / Self.descriptorsOfRoom)
  }
}

/// The memory that rooms keep for speed.
package struct RoomMemory: Hashable, Sendable {
  /// The memory of the store.
  package var store = StoreMemory()
  /// The palettes as files that were made for somebody.
  package var fileBytes = 16 << 20

  /// Creates the memory of a room that is alone in its process.
  package init() {}

  /// The share of one of so many rooms.
  package func divided(by count: Int) -> Self {
    var share = self
    share.store = store.divided(by: count)
    share.fileBytes /= count
    return share
  }
}
