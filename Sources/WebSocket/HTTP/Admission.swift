/// The answer to a request for a WebSocket.
package enum Admission: Equatable, Sendable {
  /// Go on.
  case accept
  /// Answer with an HTTP status, and these headers, instead.
  case reject(status: Int, headers: [HTTPField] = [])
}
