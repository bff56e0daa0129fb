internal import PalettePlatform

/// The space of a file system.
struct DiskSpace {
  let freeBytes: UInt64
  let sizeBytes: UInt64

  /// The bytes that are kept free, and which part of a file system below four times as much.
  private static let floor = (bytes: UInt64(256) << 20, part: UInt64(4))

  init(freeBytes: UInt64, sizeBytes: UInt64) {
    self.freeBytes = freeBytes
    self.sizeBytes = sizeBytes
  }

  /// Asks the system; nil where it does not tell.
  init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let size = UInt64(status.f_frsize)
    freeBytes = UInt64(status.f_bavail) * size
    sizeBytes = UInt64(status.f_blocks) * size
  }

  /// The space that is kept for the owner.
  var reserveBytes: UInt64 { min(Self.floor.bytes, sizeBytes / Self.floor.part) }

  /// True if others may write.
  var isEnough: Bool { freeBytes >= reserveBytes }
}
