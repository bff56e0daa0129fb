import COpenSSL
import Foundation
import PalettePlatform
import PaletteTestSupport

/// A client without any manners: it writes whatever bytes the test wants.
final class RawClient {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A WebSocket frame as received.
  struct Frame: Equatable {
    var isFinal = true
    var opcode: UInt8
    var payload: [UInt8]
    var isMasked = false

    var closeCode: Int? {
      payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
    }
  }

  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_RCVBUF,
        &size,
        socklen_t(MemoryLayout<Int32>.size)
      )
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        PalettePlatform.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "connect: \(errno)") }
    setTimeout()
  }

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { target in
      for (index, byte) in path.utf8.enumerated() { target[index] = byte }
    }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        PalettePlatform.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "connect: \(errno)") }
    setTimeout()
  }

  /// Wraps a socket that is connected already.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    setTimeout()
  }

  deinit { close(descriptor) }

  private func setTimeout() {
    var limit = timeval(tv_sec: 10 * TestPatience.factor, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  /// Has the system send everything as it comes, however little it is.
  func sendsAtOnce() {
    var isOn: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, size)
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        PalettePlatform.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(description: "send: \(errno)") }
      sent += count
    }
  }

  /// True if reading does not wait: something has come, or the connection has ended.
  var canRead: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Reads more bytes; false at the end of the connection.
  private func fill() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN { throw Failure(description: "nothing came") }
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }

  /// Reads exactly so many bytes.
  func read(_ count: Int) throws -> [UInt8] {
    while buffer.count < count {
      guard try fill() else { throw Failure(description: "the connection ended") }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Reads until the other side hangs up.
  func readToEnd() throws -> [UInt8] {
    while try fill() {}
    defer { buffer = [] }
    return buffer
  }

  /// Reads the head of an HTTP response.
  func readHead() throws -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let index = buffer.indices.first(where: { buffer[$0...].starts(with: end) }) {
        return String(decoding: try read(index + 4), as: UTF8.self)
      }
      guard try fill() else {
        throw Failure(description: "no head in \(String(decoding: buffer, as: UTF8.self))")
      }
    }
  }

  /// Reads a response: its head and as many bytes as it announces.
  func readResponse(hasBody: Bool = true) throws -> (head: String, body: [UInt8]) {
    let head = try readHead()
    let length = head.lowercased().split(separator: "\r\n").first {
      $0.hasPrefix("content-length:")
    }
    let count = length.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
    return (head, hasBody ? try read(count) : [])
  }

  /// The text of an upgrade request.
  static func upgrade(
    _ path: String,
    subprotocol: String? = nil,
    host: String = "127.0.0.1",
    extra: String = ""
  ) -> String {
    """
    GET \(path) HTTP/1.1\r
    Host: \(host)\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Version: 13\r
    \(subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "")\(extra)\r\n
    """
  }

  /// Upgrades to a WebSocket.
  @discardableResult
  func upgrade(_ path: String = "/chat", subprotocol: String? = "chat.v1") throws -> String {
    try send(Self.upgrade(path, subprotocol: subprotocol))
    let head = try readHead()
    guard head.hasPrefix("HTTP/1.1 101") else { throw Failure(description: head) }
    return head
  }

  /// Plays the server: reads an upgrade request and accepts it.
  func acceptUpgrade(extra: String = "") throws {
    let head = try readHead()
    let line = head.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("sec-websocket-key:")
    }
    let key = line.map { String($0.dropFirst("sec-websocket-key: ".count)) } ?? ""
    try send(
      """
      HTTP/1.1 101 Switching Protocols\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Accept: \(Self.acceptKey(for: key))\r
      \(extra)\r\n
      """
    )
  }

  private static func acceptKey(for key: String) -> String {
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var hash = [UInt8](repeating: 0, count: 20)
    _ = EVP_Digest(text, text.count, &hash, nil, EVP_sha1(), nil)
    return Data(hash).base64EncodedString()
  }

  /// The bytes of a masked frame.
  static func frame(
    _ opcode: UInt8,
    _ payload: [UInt8],
    isFinal: Bool = true,
    reserved: UInt8 = 0,
    length: UInt64? = nil
  ) -> [UInt8] {
    var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
    let count = length ?? UInt64(payload.count)
    if count < 126 {
      bytes.append(0x80 | UInt8(count))
    } else if count < 65_536 {
      bytes += [0x80 | 126, UInt8(count >> 8), UInt8(count & 255)]
    } else {
      bytes.append(0x80 | 127)
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    let mask: [UInt8] = [1, 2, 3, 4]
    bytes += mask
    bytes += payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    return bytes
  }

  func send(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) throws {
    try send(Self.frame(opcode, payload, isFinal: isFinal))
  }

  func sendClose(_ code: UInt16, _ reason: String = "") throws {
    try send(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
  }

  /// Reads one frame.
  func readFrame() throws -> Frame {
    let start = try read(2)
    var count = Int(start[1] & 0x7F)
    if count == 126 {
      count = try read(2).reduce(0) { $0 << 8 | Int($1) }
    } else if count == 127 {
      count = try read(8).reduce(0) { $0 << 8 | Int($1) }
    }
    let isMasked = start[1] & 0x80 != 0
    let mask = isMasked ? try read(4) : []
    let bytes = try read(count)
    return Frame(
      isFinal: start[0] & 0x80 != 0,
      opcode: start[0] & 15,
      // A server masks nothing, and a look at each byte takes long in a debug build.
      payload: isMasked ? zip(0..., bytes).map { $1 ^ mask[$0 & 3] } : bytes,
      isMasked: isMasked
    )
  }

  /// Reads the fragments of one message.
  func readMessage() throws -> Frame {
    var whole = try readFrame()
    while !whole.isFinal {
      let next = try readFrame()
      whole.payload += next.payload
      whole.isFinal = next.isFinal
    }
    return whole
  }
}
