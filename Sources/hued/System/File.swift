import PaletteCommands
import PalettePlatform

/// Reads and writes files by path.
enum File {
  /// Whether there is a regular file, behind symbolic links too.
  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether there is a folder, behind symbolic links too.
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
        throw APIError(code: "failed", message: "'\(folder)' cannot be read: \(SystemCall.reason)")
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
        throw APIError(code: "failed", message: "'\(folder)' cannot be made: \(SystemCall.reason)")
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
        message: "'\(path)' cannot be read: \(SystemCall.reason)"
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
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = SystemCall.retried { PalettePlatform.read(descriptor, &buffer, buffer.count) }
      guard count >= 0 else {
        throw APIError(code: "failed", message: "\(name) cannot be read: \(SystemCall.reason)")
      }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= limit else {
        throw APIError(
          code: "too-large",
          message: "\(name) is larger than \(limit >> 20) MiB"
        )
      }
    }
  }

  /// Writes everything to an open file; returns false with `errno` set when that fails.
  static func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: CInt) -> Bool {
    let bytes = ContiguousArray(bytes)
    return bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        let count = SystemCall.retried {
          PalettePlatform.write(descriptor, rest.baseAddress, rest.count)
        }
        guard count >= 0 else { return false }
        offset += count
      }
      return true
    }
  }
}
