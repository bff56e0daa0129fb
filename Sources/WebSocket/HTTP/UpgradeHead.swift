import CWebSockets

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

extension UpgradeHead {
  /// Reads the head of the request that libwebsockets has parsed.
  init(_ socket: OpaquePointer) {
    isGet = lws_hdr_total_length(socket, WSI_TOKEN_GET_URI) > 0
    isHTTP11 = header(WSI_TOKEN_HTTP, of: socket) == "HTTP/1.1"
    hasBody = requestHasBody(socket)
    path = header(WSI_TOKEN_GET_URI, of: socket) ?? ""
    upgrade = header(WSI_TOKEN_UPGRADE, of: socket)
    version = header(WSI_TOKEN_VERSION, of: socket)
    key = header(WSI_TOKEN_KEY, of: socket)
    subprotocols = header(WSI_TOKEN_PROTOCOL, of: socket)
  }
}

extension RequestHeaders {
  /// Reads the headers of the request that libwebsockets has parsed.
  init(_ socket: OpaquePointer) {
    self.init(
      host: header(WSI_TOKEN_HOST, of: socket),
      origin: header(WSI_TOKEN_ORIGIN, of: socket),
      authorization: header(WSI_TOKEN_HTTP_AUTHORIZATION, of: socket),
      cookie: header(WSI_TOKEN_HTTP_COOKIE, of: socket),
      ifNoneMatch: header(WSI_TOKEN_HTTP_IF_NONE_MATCH, of: socket),
      acceptEncoding: header(WSI_TOKEN_HTTP_ACCEPT_ENCODING, of: socket)
    )
  }
}

/// Returns whether a request announces a body, of any length but zero; a malformed length counts as
/// one.
func requestHasBody(_ socket: OpaquePointer) -> Bool {
  if lws_hdr_total_length(socket, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 { return true }
  guard lws_hdr_total_length(socket, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 else { return false }
  return header(WSI_TOKEN_HTTP_CONTENT_LENGTH, of: socket) != "0"
}

/// Whether a request says its length in one way at most, as far as libwebsockets can tell.
func hasOneLength(_ socket: OpaquePointer) -> Bool {
  let names = ["content-length", "transfer-encoding"].flatMap { ["\($0) :", "\($0)\t:"] }
  guard names.allSatisfy({ lws_hdr_custom_length(socket, $0, Int32($0.utf8.count)) < 0 }) else {
    return false
  }
  guard let length = header(WSI_TOKEN_HTTP_CONTENT_LENGTH, of: socket) else { return true }
  return !length.contains(",")
    && lws_hdr_total_length(socket, WSI_TOKEN_HTTP_TRANSFER_ENCODING) <= 0
}

/// The value of a header, or nil when it is absent; libwebsockets joins repetitions by commas.
func header(_ token: lws_token_indexes, of socket: OpaquePointer) -> String? {
  let length = Int(lws_hdr_total_length(socket, token))
  guard length > 0 else { return nil }
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
    guard lws_hdr_copy(socket, buffer.baseAddress, Int32(buffer.count), token) == length else {
      return nil
    }
    // Counted, not up to a zero: `/%00x` must not pass for `/`.
    return String(decoding: UnsafeRawBufferPointer(buffer)[..<length], as: UTF8.self)
  }
}
