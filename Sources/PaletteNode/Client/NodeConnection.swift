internal import Glibc

/// A WebSocket to a node through the socket in its home, for one caller that waits.
///
/// Plain system calls: a command that does one thing must not pay for an event loop.
final class NodeConnection {
  /// The most bytes of a message.
  private static let messageLimit = 1 << 30

  private let descriptor: CInt
  private var reader: FrameReader
  private var random = SystemRandomNumberGenerator()

  /// Connects; nil when no node has the library open.
  init?(home: String) throws(APIError) {
    guard let folder = HomeFolder(home), let descriptor = folder.connectedSocket() else {
      return nil
    }
    self.descriptor = descriptor
    reader = FrameReader(limit: Self.messageLimit)
    try shakeHands()
  }

  deinit {
    close(descriptor)
  }

  /// Sends a text message.
  func send(_ text: [UInt8]) throws(APIError) {
    try write(FrameWriter.frame(.text, text, mask: random.next()))
  }

  /// Waits for the next text message; nil when the node closed the connection.
  func receive() throws(APIError) -> [UInt8]? {
    while true {
      switch try reader.next() {
      case .message(let text): return text
      case .ping(let payload):
        try write(FrameWriter.frame(.pong, payload, mask: random.next()))
      case .closed: return nil
      case nil: guard try read() else { return nil }
      }
    }
  }

  private func shakeHands() throws(APIError) {
    let request =
      "GET /rpc HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
      + "Sec-WebSocket-Protocol: hued.rpc.v1\r\n\r\n"
    try write(Array(request.utf8))
    while true {
      if let head = reader.takeHead() {
        guard head.hasPrefix("HTTP/1.1 101 ") else {
          let status = head.prefix { $0 != "\r" }
          throw APIError(code: "failed", message: "the node answered '\(status)'")
        }
        return
      }
      guard try read() else { throw Self.ended }
    }
  }

  /// The node is gone although an answer is due.
  static let ended = APIError(
    code: "failed",
    message: "the node ended before it answered",
    hint: "look whether the edit was made before you repeat it"
  )

  private func read() throws(APIError) -> Bool {
    let count = reader.fill { buffer in
      while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count >= 0 || errno != EINTR { return count }
      }
    }
    // A node that was killed resets what it did not read.
    return count > 0
  }

  private func write(_ bytes: [UInt8]) throws(APIError) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor,
          $0.baseAddress?.advanced(by: offset),
          bytes.count - offset,
          CInt(MSG_NOSIGNAL)
        )
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.ended }
      offset += count
    }
  }
}
