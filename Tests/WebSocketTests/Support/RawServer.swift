import PalettePlatform
import PaletteTestSupport

@testable import WebSocket

/// A listening socket behind which the test plays the server by hand.
final class RawServer {
  private let socket: ListeningSocket

  var port: UInt16 { socket.port }

  init() throws {
    socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
  }

  deinit { close(socket.descriptor) }

  /// Waits for a client.
  func accept() throws -> RawClient {
    var request = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(10_000 * TestPatience.factor)) == 1 else {
      throw RawClient.Failure(description: "nobody came")
    }
    let descriptor = PalettePlatform.accept(socket.descriptor, nil, nil)
    guard descriptor >= 0 else { throw RawClient.Failure(description: "accept: \(errno)") }
    return RawClient(descriptor: descriptor)
  }
}
