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

  /// Makes a folder with files in it at once, by their paths there: others see all of it, or nothing.
  static func makeFolder(
    _ path: String,
    with files: [(path: String, bytes: [UInt8])]
  ) throws(APIError) {
    let folder = try makeTemporaryFolder(beside: path)
    var made = [folder]
    // The newest first: it is found at once.
    defer { made.reversed().forEach(TemporaryFiles.forget) }
    do throws(APIError) {
      for file in files {
        made += try makeFolders(above: file.path, in: folder)
        try write(file.bytes, to: "\(folder)/\(file.path)")
        made.append("\(folder)/\(file.path)")
        TemporaryFiles.remember("\(folder)/\(file.path)")
      }
      guard rename(folder, path) == 0 else { throw failure(path, Platform.failureReason) }
    } catch {
      for path in made.reversed() { remove(path) }
      let message = error.message.replacing("'\(folder)", with: "'\(path)")
      throw APIError(code: error.code, message: message, hint: error.hint)
    }
  }

  /// Makes the folders in which a file is to be, below a folder that is there; returns the new ones.
  private static func makeFolders(
    above path: String,
    in folder: String
  ) throws(APIError) -> [String] {
    var folder = folder
    var made: [String] = []
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      if mkdir(folder, 0o777) == 0 {
        made.append(folder)
        TemporaryFiles.remember(folder)
      } else if errno != EEXIST {
        throw APIError(
          code: "failed",
          message: "'\(folder)' cannot be made: \(Platform.failureReason)"
        )
      }
    }
    return made
  }

  private static func makeTemporaryFolder(beside path: String) throws(APIError) -> String {
    var template = (path + ".XXXXXX").utf8CString
    let folder = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
      return String(cString: start)
    }
    guard let folder else { throw failure(path, Platform.failureReason) }
    TemporaryFiles.remember(folder)
    chmod(folder, 0o777 & ~creationMask)
    return folder
  }

  /// The permissions that a new file of the process lacks.
  private static var creationMask: mode_t {
    let mask = umask(0)
    umask(mask)
    return mask
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
      throw APIError(code: "too-large", message: "\(name) is larger than \(size(limit))")
    }
    return bytes
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }

  /// Replaces a file at once: readers see the old bytes or the new ones, nothing between.
  ///
  /// A symbolic link stays, its target is replaced. What is no regular file, such as a device or a
  /// pipe, is written to.
  static func write(_ bytes: [UInt8], to path: String) throws(APIError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    // Links to pipes, as in /dev/fd, lead to no path.
    if exists, status.st_mode & S_IFMT != S_IFREG { return try overwrite(bytes, at: path) }
    let target = try target(of: path)
    let (descriptor, temporary) = try makeTemporary(beside: target, named: path)
    let mode = exists ? status.st_mode & 0o777 : 0o666 & ~creationMask
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

  private static func overwrite(_ bytes: [UInt8], at path: String) throws(APIError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
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

/// The files, and the folders with them, to remove when the process is interrupted.
enum TemporaryFiles {
  /// The paths in the order in which they were made.
  private static let paths = Mutex<[String]>([])

  static func remember(_ path: String) {
    paths.withLock { $0.append(path) }
  }

  static func forget(_ path: String) {
    paths.withLock { paths in
      if let index = paths.lastIndex(of: path) { paths.remove(at: index) }
    }
  }

  static func removeAll() {
    let all = paths.withLock { $0 }
    for path in all.reversed() { remove(path) }
  }
}
