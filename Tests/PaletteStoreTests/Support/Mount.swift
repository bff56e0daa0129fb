import PalettePlatform
import Testing

/// A file system mounted for one test; only root can have one.
final class Mount {
  let path: String

  /// Whether this process may mount at all.
  static let isPossible: Bool = {
    guard geteuid() == 0, let scratch = try? Scratch() else { return false }
    return (try? Mount(tmpfsAt: scratch.path, bytes: 65_536)) != nil
  }()

  /// Mounts a small file system in memory.
  init(tmpfsAt path: String, bytes: Int) throws {
    self.path = path
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
  }

  /// Shows a folder once more, read-only.
  init(readOnly folder: String, at path: String) throws {
    self.path = path
    try #require(mount(folder, path, nil, UInt(MS_BIND), nil) == 0)
    try #require(
      mount(nil, path, nil, UInt(MS_BIND) | UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0
    )
  }

  /// Gives a file system in memory more space.
  func resize(bytes: Int) throws {
    try #require(mount(nil, path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
  }
}
