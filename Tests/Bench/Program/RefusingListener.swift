import PaletteClient
import PalettePlatform

/// The address of a node that does not run: whoever calls there is hung up on.
///
/// So a node whose peer is to be found later can run already, and it is known when it tries.
final class RefusingListener {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = Platform.openSocket(AF_INET)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let code = LoopbackAddress.lend(port: port) { [descriptor] in bind(descriptor, $0, $1) }
    guard code == 0, listen(descriptor, 8) == 0 else {
      close(descriptor)
      throw BenchError("port \(port) is not free: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Waits until somebody calls, and hangs up.
  func waitForCaller() throws {
    var caller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&caller, 1, 60_000) == 1 else { throw BenchError("nobody called within a minute") }
    close(accept(descriptor, nil, nil))
  }
}
