internal import PalettePlatform
internal import PaletteStore
internal import WebSocket

/// Others may not fill the disk: some of it is kept for the owner of the library.
extension NodeHandler {
  /// Looks once a second at how much room is left.
  func checkRoom() {
    // Where it cannot be told, a full disk is met soon enough.
    sync.setRoom(DiskRoom(at: store.folder.path)?.isEnough ?? true)
    loop.schedule(after: .seconds(1)) { [weak self] in self?.checkRoom() }
  }
}

/// How much room a file system has.
struct DiskRoom {
  let freeBytes: UInt64
  let sizeBytes: UInt64

  /// The bytes that are kept free, and which part of a small file system.
  private static let floor = (bytes: UInt64(256) << 20, part: UInt64(20))

  /// Asks the system; nil where it does not tell.
  init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let size = UInt64(status.f_frsize)
    freeBytes = UInt64(status.f_bavail) * size
    sizeBytes = UInt64(status.f_blocks) * size
  }

  /// What is kept for the owner.
  var reserveBytes: UInt64 { min(Self.floor.bytes, sizeBytes / Self.floor.part) }

  /// Whether others may write.
  var isEnough: Bool { freeBytes >= reserveBytes }
}
