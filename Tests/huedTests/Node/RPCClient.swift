import Foundation
import PaletteCommands
import PaletteJSON
import PalettePlatform

/// A WebSocket to a node's Unix socket that sends calls without waiting for answers.
final class RPCClient: @unchecked Sendable {
  // Sending and receiving happen on one thread each, and share only the descriptor.
  private let descriptor: Int32
  private var received: [UInt8] = []
  private var start = 0

  init(home: String) throws {
    descriptor = Platform.openSocket(AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let folder = open(home, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "/proc/self/fd/\(folder)/node.sock".utf8)
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
    let lines = ["GET /rpc HTTP/1.1", "Host: localhost"] + WebClient.upgrade
    try write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    while !received.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, 0) == 1 else { throw POSIXError(.ECONNRESET) }
      received.append(byte)
    }
    received = []
  }

  /// Takes over a socket behind its upgrade.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func send(_ method: String, _ parameters: JSON, id: Int) throws {
    let call: JSON = [
      "jsonrpc": "2.0", "id": JSON(id), "method": JSON(method), "params": parameters,
    ]
    try send(text: call.bytes)
  }

  /// Sends one text message.
  func send(text: [UInt8]) throws {
    var frame: [UInt8] = [0x81]
    if text.count < 126 {
      frame.append(0x80 | UInt8(text.count))
    } else if text.count <= 0xFFFF {
      frame += [0xFE, UInt8(text.count >> 8), UInt8(text.count & 0xFF)]
    } else {
      frame.append(0xFF)
      frame += (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (56 - 8 * $0)) }
    }
    // A mask of zeros leaves the text as it is.
    try write(frame + [0, 0, 0, 0] + text)
  }

  /// Whether nothing has come that was not read yet.
  var hasNoAnswer: Bool {
    var byte: UInt8 = 0
    return start == received.count && recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) < 0
  }

  /// The next text message, whatever it is.
  func answer() throws -> JSON {
    var text: [UInt8] = []
    var isWhole = false
    while !isWhole {
      let head = try take(2)
      isWhole = head[0] & 0x80 != 0
      var count = Int(head[1] & 0x7F)
      if count == 126 { count = try take(2).reduce(0) { $0 << 8 | Int($1) } }
      if count == 127 { count = try take(8).reduce(0) { $0 << 8 | Int($1) } }
      text += try take(count)
    }
    return try JSON(answer: text)
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count - start < count {
      if start > 0 {
        received.removeFirst(start)
        start = 0
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let size = recv(descriptor, &buffer, buffer.count, 0)
      guard size > 0 else { throw POSIXError(.ECONNRESET) }
      received += buffer.prefix(size)
    }
    defer { start += count }
    return Array(received[start..<start + count])
  }

  private func write(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        PalettePlatform.send(
          descriptor,
          $0.baseAddress?.advanced(by: offset),
          bytes.count - offset,
          Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { throw POSIXError(.EPIPE) }
      offset += count
    }
  }
}
