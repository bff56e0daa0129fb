internal import Glibc
internal import PaletteStore
internal import WebSocket

/// Others may not fill the disk: some of it is kept for the owner of the library.
extension NodeHandler {
  /// Looks once a second at how much room is left.
  func checkRoom() {
    sync.setRoom(Self.hasRoom(at: store.folder.path))
    loop.schedule(after: .seconds(1)) { [weak self] in self?.checkRoom() }
  }

  /// The bytes that are kept free, and which part of a small file system.
  private static let floor = (bytes: UInt64(256) << 20, part: UInt64(20))

  /// Whether there is room; where that cannot be told, a full disk is met soon enough.
  private static func hasRoom(at path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return true }
    let size = UInt64(status.f_frsize)
    return UInt64(status.f_bavail) * size
      >= min(floor.bytes, UInt64(status.f_blocks) * size / floor.part)
  }
}
