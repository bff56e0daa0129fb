internal import PalettePlatform

/// Small files that are read and replaced whole.
enum StoredFile {
  /// The most bytes that are read.
  private static let limit = 1 << 20

  /// The bytes of a file, nil if there is none.
  static func read(_ path: String) throws(APIError) -> [UInt8]? {
    let descriptor = Platform.retried { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw error("'\(path)' cannot be read")
    }
    defer { close(descriptor) }
    guard let bytes = Platform.readAll(descriptor, limit: limit) else {
      throw error("'\(path)' cannot be read")
    }
    guard bytes.count <= limit else {
      throw APIError(code: "too-large", message: "'\(path)' is larger than \(limit) bytes")
    }
    return bytes
  }

  /// Replaces a file, so that at any moment there is the old one or the new one.
  ///
  /// Folders that are missing are made. Behind a symbolic link, its target is replaced.
  static func replace(_ path: String, with bytes: [UInt8]) throws(APIError) {
    let target = resolved(path)
    try makeFolders(above: target)
    let temporary = "\(target).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw error("'\(path)' cannot be written") }
    let isWritten = Platform.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    if isWritten, rename(temporary, target) == 0 { return }
    let reason = isWritten ? errno : failure
    unlink(temporary)
    throw error("'\(path)' cannot be written", reason)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func makeFolders(above path: String) throws(APIError) {
    for slash in path.indices.dropFirst() where path[slash] == "/" {
      let folder = String(path[..<slash])
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST || access(folder, F_OK) == 0 else {
        throw error("the folder '\(folder)' cannot be made")
      }
    }
  }

  private static func error(_ message: String, _ reason: CInt = errno) -> APIError {
    let code =
      switch reason {
      case ENOSPC, EDQUOT: "disk-full"
      case EROFS: "read-only"
      default: "storage"
      }
    let text = strerror(reason).map { String(cString: $0) } ?? "unknown reason"
    let hint = code == "storage" ? "see who may read it, and whether its disk is well" : nil
    return APIError(code: code, message: "\(message): \(text)", hint: hint)
  }
}
