/// The head of an upgrade request, as text, so that its rules need no connection.
struct UpgradeHead {
  var isGet = true
  var isHTTP11 = true
  var hasBody = false
  var path = "/"
  var upgrade: String?
  var version: String?
  var key: String?
  /// The header `Sec-WebSocket-Protocol`, its repetitions joined by commas.
  var subprotocols: String?
}
