import PaletteClient
import PalettePlatform

/// The least that asks a node over HTTP.
enum BenchHTTP {
  /// The whole answer, head and body.
  static func get(_ path: String, from port: UInt16) throws -> String {
    let link = Platform.openSocket(AF_INET)
    defer { close(link) }
    let isConnected = LoopbackAddress.lend(port: port) { connect(link, $0, $1) == 0 }
    let request = Array(
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8
    )
    guard isConnected, send(link, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { throw BenchError("nobody listens at \(port)") }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(link, &piece, piece.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += piece[..<count]
    }
  }
}
