import PaletteCommands
import PalettePlatform
import Synchronization

/// Reads and writes files by path.
enum File {
  /// Returns whether there is anything, unless that cannot be told.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 || errno != ENOENT }

  /// Returns whether there is a regular file, behind symbolic links too.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns whether there is a folder, behind symbolic links too.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The paths of the files in a folder and all folders in it, in order; hidden ones and symbolic links
  /// are passed over.
  static func paths(in folder: String, limit: Int = 10_000) throws(APIError) -> [String] {
    var paths: [String] = []
    var folders = [""]
    while let part = folders.popLast() {
      guard let stream = opendir(part.isEmpty ? folder : "\(folder)/\(part)") else {
        throw APIError(
          code: "failed",
          message: "'\(folder)' cannot be read: \(Platform.failureReason)"
        )
      }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard !name.hasPrefix(".") else { continue }
        let path = part.isEmpty ? name : "\(part)/\(name)"
        var status = stat()
        guard lstat("\(folder)/\(path)", &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) }
        if status.st_mode & S_IFMT == S_IFREG { paths.append(path) }
        guard paths.count + folders.count <= limit else {
          throw APIError(code: "too-large", message: "'\(folder)' holds more than \(limit) files")
        }
      }
    }
    return paths.sorted()
  }

  /// Makes the folders in which a file is to be.
  static func makeFolders(above path: String) throws(APIError) {
    var folder = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      folder += part
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw APIError(
          code: "failed",
          message: "'\(folder)' cannot be made: \(Platform.failureReason)"
        )
      }
      folder += "/"
    }
  }

  /// Reads a whole file.
  /// - Throws: `not-found`, `too-large`, or `failed` with the system's reason.
  static func read(_ path: String, limit: Int) throws(APIError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw APIError(
        code: errno == ENOENT ? "not-found" : "failed",
        message: "'\(path)' cannot be read: \(Platform.failureReason)"
      )
    }
    defer { close(descriptor) }
    return try read(descriptor, named: "'\(path)'", limit: limit)
  }

  /// Reads an open file to its end.
  static func read(
    _ descriptor: CInt,
    named name: String,
    limit: Int
  ) throws(APIError) -> [UInt8] {
    guard let bytes = Platform.readAll(descriptor, limit: limit) else {
      throw APIError(code: "failed", message: "\(name) cannot be read: \(Platform.failureReason)")
    }
    guard bytes.count <= limit else {
      throw APIError(code: "too-large", message: "\(name) is larger than \(limit >> 20) MiB")
    }
    return bytes
  }

  /// Replaces a file at once: readers see the old bytes or the new ones, nothing between.
  ///
  /// A symbolic link stays, its target is replaced. What is no regular file, such as a device or a
  /// pipe, is written to.
  static func write(_ bytes: [UInt8], to path: String) throws(APIError) {
    let target = try target(of: path)
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      try overwrite(bytes, at: target, named: path)
      return
    }
    let (descriptor, temporary) = try makeTemporary(beside: target, named: path)
    let mask = umask(0)
    umask(mask)
    let mode = exists ? status.st_mode & 0o777 : 0o666 & ~mask
    let isWritten =
      fchmod(descriptor, mode) == 0 && Platform.writeAll(bytes, to: descriptor)
      && fsync(descriptor) == 0
    let reason = Platform.failureReason
    close(descriptor)
    guard isWritten else {
      unlink(temporary)
      throw failure(path, reason)
    }
    guard rename(temporary, target) == 0 else {
      let reason = Platform.failureReason
      unlink(temporary)
      throw failure(path, reason)
    }
    TemporaryFiles.forget(temporary)
  }

  private static func overwrite(
    _ bytes: [UInt8],
    at target: String,
    named path: String
  ) throws(APIError) {
    let descriptor = open(target, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, Platform.failureReason) }
    let isWritten = Platform.writeAll(bytes, to: descriptor)
    let reason = Platform.failureReason
    close(descriptor)
    guard isWritten else { throw failure(path, reason) }
  }

  private static func makeTemporary(
    beside target: String,
    named path: String
  ) throws(APIError) -> (descriptor: CInt, path: String) {
    var template = (target + ".XXXXXX").utf8CString
    let made = template.withUnsafeMutableBufferPointer { buffer -> (CInt, String) in
      guard let start = buffer.baseAddress else { return (-1, "") }
      let descriptor = mkstemp(start)
      return (descriptor, String(cString: start))
    }
    guard made.0 >= 0 else { throw failure(path, Platform.failureReason) }
    TemporaryFiles.remember(made.1)
    return made
  }

  /// The path behind symbolic links; the last one need not lead to a file yet.
  private static func target(of path: String) throws(APIError) -> String {
    var path = path
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &buffer, buffer.count)
      guard count >= 0 else { return path }
      let link = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      if link.hasPrefix("/") {
        path = link
      } else {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        path = folder + link
      }
    }
    throw failure(path, "too many symbolic links")
  }

  private static func failure(_ path: String, _ reason: String) -> APIError {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    return APIError(
      code: "failed",
      message: "'\(path)' cannot be written: \(reason)",
      hint: isFolder(folder) ? nil : "there is no folder '\(folder)'; make it first"
    )
  }
}

/// The files to remove when the process is interrupted.
enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  static func remember(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  static func forget(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
  }

  static func removeAll() {
    let all = paths.withLock { $0 }
    for path in all { unlink(path) }
  }
}
