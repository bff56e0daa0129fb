internal import PaletteFileLinks
internal import PalettePlatform
internal import PaletteStore

/// The file at the path of a linked file, and the way to replace it there.
///
/// Everything here may wait for the disk, and runs on a thread that may.
enum LinkedPath {
  /// The reason why a file was not replaced.
  enum Failure: Error {
    /// It is not the file any more that was to be replaced.
    case changed
    case refused(String)
  }

  // MARK: Reading

  /// Looks at the file that was linked; one that is known is not read again.
  ///
  /// Who may write a folder can make its names lead to files of which they have no right to know, so a
  /// path is followed no farther than where it led when it was linked.
  static func look(
    at path: String,
    leadingTo target: String,
    known: FileStamp?,
    limit: Int
  ) -> LinkLook.Found {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT ? .missing : .unusable("the file cannot be read: \(reason)")
    }
    guard Self.target(of: path) == target, lstat(target, &status) == 0 else {
      return .unusable(Self.astray)
    }
    if let problem = problem(with: status) { return .unusable(problem) }
    if known == FileStamp(status) { return .same }
    guard status.st_size <= limit else { return tooLarge(limit) }
    // A FIFO that took its place meanwhile must not hold the thread up.
    let descriptor = open(target, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ELOOP { return .unusable(Self.astray) }
      return errno == ENOENT ? .missing : .unusable("the file cannot be read: \(reason)")
    }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else {
      return .unusable("the file cannot be read: \(reason)")
    }
    if let problem = problem(with: status) { return .unusable(problem) }
    guard status.st_size <= limit else { return tooLarge(limit) }
    let stamp = FileStamp(status)
    guard let bytes = read(descriptor, count: Int(status.st_size)) else {
      return .unusable("the file cannot be read: \(reason)")
    }
    guard fstat(descriptor, &status) == 0, FileStamp(status) == stamp, bytes.count == stamp.size
    else {
      return .changing
    }
    return .file(bytes, stamp, quietMilliseconds: millisecondsSince(status.modified))
  }

  /// The reason why a path is not followed any more.
  private static let astray =
    "its path leads to another file than the one that was linked; 'hued unlink' it and link it anew to "
    + "follow that one"

  /// The time since a moment by the clock of this machine, which may not be that of the file
  /// system.
  private static func millisecondsSince(_ time: timespec) -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let seconds = Int64(now.tv_sec).subtractingReportingOverflow(Int64(time.tv_sec))
    let limit: Int64 = 1 << 40
    guard !seconds.overflow, abs(seconds.partialValue) < limit else { return limit }
    return seconds.partialValue * 1_000 + Int64(now.tv_nsec - time.tv_nsec) / 1_000_000
  }

  private static func tooLarge(_ limit: Int) -> LinkLook.Found {
    .unusable("the file is larger than \(limit >> 20) MiB")
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = PalettePlatform.read(
          descriptor,
          buffer.baseAddress.map { $0 + filled },
          count - filled
        )
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        guard got > 0 else { return }
        filled += got
      }
    }
    return failed ? nil : bytes
  }

  /// The reason why something is no file that could be linked.
  static func problem(with status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFLNK: astray
    case S_IFDIR: "it is a folder"
    case S_IFIFO: "it is a pipe"
    case S_IFSOCK: "it is a socket"
    default: "it is a device"
    }
  }

  // MARK: Where it is

  /// The file that a path leads to, there or not: links are followed to the end.
  static func target(of path: String) -> String {
    hops(of: path).last.map { "\($0.folder == "/" ? "" : $0.folder)/\($0.name)" } ?? path
  }

  /// The folders in which a path can be given another meaning, each with the name that is looked for
  /// there: its own, and those of the symbolic links on its way.
  static func hops(of path: String) -> [(folder: String, name: String)] {
    var hops: [(folder: String, name: String)] = []
    var path = path
    for _ in 0..<40 {
      guard let slash = path.lastIndex(of: "/") else { return hops }
      let parent = slash == path.startIndex ? "/" : String(path[..<slash])
      let name = String(path[path.index(after: slash)...])
      guard let real = realpath(parent, nil) else { return hops + [(parent, name)] }
      let folder = String(cString: real)
      free(real)
      hops.append((folder, name))
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = readlink("\(folder)/\(name)", &buffer, buffer.count)
      guard count > 0 else { return hops }
      let target = String(
        decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) },
        as: UTF8.self
      )
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    return hops
  }

  // MARK: Writing

  /// Replaces the file at the end of a path at once, with the same mode and owner; a symbolic link stays one.
  ///
  /// What somebody else writes meanwhile is never lost: the file that was replaced is looked at again
  /// before it is given up.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - target: Where the path led when it was linked, and has to lead still.
  ///   - bytes: What it is to hold.
  ///   - expected: The file that is replaced; nil for none.
  /// - Returns: The new file.
  /// - Throws: `Failure`.
  static func replace(
    _ path: String,
    leadingTo target: String,
    with bytes: [UInt8],
    expecting expected: FileStamp?
  ) throws(Failure) -> FileStamp {
    guard Self.target(of: path) == target else { throw .refused(Self.astray) }
    let slash = target.lastIndex(of: "/") ?? target.startIndex
    let folder = slash == target.startIndex ? "/" : String(target[..<slash])
    let name = target[target.index(after: slash)...]
    let temporary = "\(folder == "/" ? "" : folder)/.\(name).hued"
    var old: stat?
    var status = stat()
    if lstat(target, &status) == 0 {
      guard FileStamp(status) == expected else { throw .changed }
      guard faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) == 0 else {
        throw .refused("the file cannot be written: \(reason)")
      }
      old = status
    } else if expected != nil {
      throw .changed
    }
    // One that a crash left; nobody else has a file of this name.
    unlink(temporary)
    let stamp = try write(bytes, to: temporary, like: old)
    guard try swap(temporary, target, expected) else {
      unlink(temporary)
      throw .changed
    }
    unlink(temporary)
    sync(folder: folder)
    return stamp
  }

  private static func write(
    _ bytes: [UInt8],
    to path: String,
    like old: stat?
  ) throws(Failure) -> FileStamp {
    let mode: mode_t = old == nil ? 0o666 : 0o600
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else {
      throw .refused("there can be no new file in its folder: \(reason)")
    }
    defer { close(descriptor) }
    var status = stat()
    do throws(Failure) {
      var offset = 0
      while offset < bytes.count {
        let count = bytes.withUnsafeBytes {
          PalettePlatform.write(
            descriptor,
            $0.baseAddress.map { $0 + offset },
            bytes.count - offset
          )
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Failure.refused("the file cannot be written: \(reason)") }
        offset += count
      }
      if let old {
        guard fstat(descriptor, &status) == 0 else {
          throw Failure.refused("the file cannot be written: \(reason)")
        }
        let hasOwner = status.st_uid == old.st_uid && status.st_gid == old.st_gid
        guard hasOwner || fchown(descriptor, old.st_uid, old.st_gid) == 0 else {
          throw Failure.refused("the file cannot keep its owner: \(reason)")
        }
        guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else {
          throw Failure.refused("the file cannot keep its mode: \(reason)")
        }
      }
      guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else {
        throw Failure.refused("the file cannot be written: \(reason)")
      }
      return FileStamp(status)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Puts the new file in the place of the old one; false where the old one was another by then.
  private static func swap(
    _ new: String,
    _ target: String,
    _ expected: FileStamp?
  ) throws(Failure) -> Bool {
    var status = stat()
    guard let expected else {
      // A link keeps a name taken, where renaming would not.
      if link(new, target) == 0 { return true }
      guard errno != EEXIST else { return false }
      if lstat(target, &status) == 0 { return false }
      guard rename(new, target) == 0 else {
        throw .refused("the file cannot be written: \(reason)")
      }
      return true
    }
    if exchangeNames(new, target) {
      if lstat(new, &status) == 0, FileStamp(status) == expected { return true }
      // Somebody saved between the look and now: what was saved comes back.
      guard exchangeNames(new, target) else {
        throw .refused("what was saved meanwhile is in '\(new)': \(reason)")
      }
      return false
    }
    guard errno != ENOENT else { return false }
    // A file system that cannot exchange names.
    guard lstat(target, &status) == 0, FileStamp(status) == expected else { return false }
    guard rename(new, target) == 0 else { throw .refused("the file cannot be written: \(reason)") }
    return true
  }

  private static func sync(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

extension FileStamp {
  fileprivate init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev),
      inode: UInt64(status.st_ino),
      size: Int64(status.st_size),
      changedSeconds: Int64(status.modified.tv_sec),
      changedNanoseconds: Int64(status.modified.tv_nsec)
    )
  }
}
