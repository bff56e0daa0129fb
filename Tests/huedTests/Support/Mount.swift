import Foundation
import PalettePlatform
import Testing

/// A file system mounted for one test; only root can have one.
final class Mount {
  private let path: String

  /// Whether this process may mount at all.
  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    return (try? Mount(tmpfsAt: folder.path, bytes: 65_536)) != nil
  }()

  /// Mounts a small file system in memory.
  init(tmpfsAt path: String, bytes: Int) throws {
    self.path = path
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
  }

  /// Makes a folder read-only, also for root.
  init(readOnly path: String) throws {
    self.path = path
    try #require(mount(path, path, nil, UInt(MS_BIND), nil) == 0)
    let flags = UInt(MS_BIND) | UInt(MS_REMOUNT) | UInt(MS_RDONLY)
    try #require(mount(nil, path, nil, flags, nil) == 0)
  }

  /// Gives a file system in memory more space.
  func resize(bytes: Int) throws {
    try #require(mount(nil, path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
  }
}
