import Foundation
import PaletteTestSupport

@testable import WebSocket

/// Passes one connection on to a port, so that a server appears at another address.
final class Relay: Sendable {
  let port: UInt16

  init(to target: UInt16, host: String) throws {
    let socket = try ListeningSocket(.tcp(host: host, port: 0))
    port = socket.port
    let thread = Foundation.Thread {
      defer { close(socket.descriptor) }
      var request = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Int32(10_000 * TestPatience.factor)) == 1 else { return }
      let client = RawClient(descriptor: accept(socket.descriptor, nil, nil))
      guard let server = try? RawClient(port: target) else { return }
      Self.pass(client.descriptor, server.descriptor)
    }
    thread.start()
  }

  private static func pass(_ left: Int32, _ right: Int32) {
    var ends = [left, right].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while poll(&ends, 2, Int32(10_000 * TestPatience.factor)) > 0 {
      for index in 0..<2 where ends[index].revents != 0 {
        let count = recv(ends[index].fd, &chunk, chunk.count, 0)
        guard count > 0 else { return }
        send(ends[1 - index].fd, chunk, count, Int32(MSG_NOSIGNAL))
      }
    }
  }
}
