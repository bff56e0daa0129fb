import PalettePlatform

/// One HTTP request to a node on this machine.
package enum LoopbackHTTP {
  /// Asks for a path.
  ///
  /// - Returns: The status, and the response as it came; nil when nobody answered.
  package static func get(
    _ path: String,
    at url: String,
    token: String? = nil
  ) -> (status: Int, text: String)? {
    guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
    let descriptor = Platform.openSocket(AF_INET)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
    guard isConnected else { return nil }
    var request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    if let token { request += "Authorization: Bearer \(token)\r\n" }
    let bytes = Array((request + "\r\n").utf8)
    guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { return nil }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    let text = String(decoding: received, as: UTF8.self)
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { ($0, text) }
  }
}
