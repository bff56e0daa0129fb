import PaletteCommands
import PalettePlatform

extension File {
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
      fchmod(descriptor, mode) == 0 && writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    let reason = SystemCall.reason
    close(descriptor)
    guard isWritten else {
      unlink(temporary)
      throw failure(path, reason)
    }
    guard rename(temporary, target) == 0 else {
      let reason = SystemCall.reason
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
    guard descriptor >= 0 else { throw failure(path, SystemCall.reason) }
    let isWritten = writeAll(bytes, to: descriptor)
    let reason = SystemCall.reason
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
    guard made.0 >= 0 else { throw failure(path, SystemCall.reason) }
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
