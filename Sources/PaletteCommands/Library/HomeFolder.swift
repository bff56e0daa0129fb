internal import PalettePlatform
package import PaletteStore

/// A home that is held open, so that its socket can be named however long the home's path is.
package final class HomeFolder: Sendable {
  private let folder: FileDescriptor

  /// Opens a folder.
  package init(_ path: String) throws(StoreError) {
    folder = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY)
  }

  /// The socket of the node that has the library open.
  package var socketPath: String { "/proc/self/fd/\(folder.rawValue)/node.sock" }

  /// A descriptor that is connected to the socket; nil when nobody listens.
  ///
  /// - Parameter seconds: How long connecting, and each wait to send, may take at most; 0 for any time.
  /// - Returns: The descriptor; nil with `EAGAIN` in `errno` when it took longer, which it does where a
  ///   node is stopped.
  package func connectedSocket(withinSeconds seconds: Int = 0) -> CInt? {
    let descriptor = Platform.openSocket(AF_UNIX)
    guard descriptor >= 0 else { return nil }
    Platform.limitWaiting(on: descriptor, to: SO_SNDTIMEO, seconds: seconds)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if result == 0 { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
  }
}
