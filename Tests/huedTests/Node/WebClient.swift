import Foundation
import PalettePlatform

/// One HTTP request over a plain socket, so that every header is as a test wants it.
enum WebClient {
  struct Response {
    let status: Int
    let head: String
    let body: String

    /// The value of a header, by its name in lower case.
    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  /// The headers of an upgrade to a WebSocket.
  static let upgrade = [
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ]

  static func get(
    _ path: String,
    port: String,
    host: String? = nil,
    method: String = "GET",
    _ headers: [String] = []
  ) throws -> Response {
    let descriptor = try connection(port: port)
    defer { close(descriptor) }
    try ask(path, port: port, host: host, method: method, headers, descriptor)
    return try read(descriptor, hasBody: method != "HEAD")
  }

  /// Upgrades to a WebSocket.
  ///
  /// - Returns: The socket, behind the head of the answer.
  static func open(_ path: String, port: String, _ headers: [String]) throws -> Int32 {
    let descriptor = try connection(port: port)
    try ask(path, port: port, host: nil, upgrade + headers, descriptor)
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
      guard recv(descriptor, &byte, 1, 0) == 1 else { throw POSIXError(.ECONNRESET) }
      head.append(byte)
    }
    guard head.starts(with: Array("HTTP/1.1 101 ".utf8)) else { throw POSIXError(.EACCES) }
    return descriptor
  }

  /// The code of the close frame that the server sends next.
  static func closeCode(_ descriptor: Int32) -> Int? {
    var frame = [UInt8](repeating: 0, count: 4)
    guard recv(descriptor, &frame, 4, Int32(MSG_WAITALL)) == 4, frame[0] == 0x88 else {
      return nil
    }
    return Int(frame[2]) << 8 | Int(frame[3])
  }

  static func connection(port: String) throws -> Int32 {
    let descriptor = Platform.openSocket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (UInt16(port) ?? 0).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
    return descriptor
  }

  private static func ask(
    _ path: String,
    port: String,
    host: String?,
    method: String = "GET",
    _ headers: [String],
    _ descriptor: Int32
  ) throws {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
    let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    _ = PalettePlatform.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
  }

  private static func read(_ descriptor: Int32, hasBody: Bool) throws -> Response {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = String(text[..<end.lowerBound])
        let body = String(text[end.upperBound...])
        let status = Int(head.split(separator: " ")[1]) ?? 0
        let response = Response(status: status, head: head, body: body)
        let length = Int(response.header("content-length") ?? "0") ?? 0
        if !hasBody || status == 304 || body.utf8.count >= length { return response }
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw POSIXError(.ECONNRESET) }
      bytes += buffer.prefix(count)
    }
  }
}
