import COpenSSL

/// Turns the error queue of OpenSSL into errors of ours.
enum OpenSSLFailure {
  /// Takes the first entry of the queue as the cause and empties the queue.
  static func error(_ action: String) -> WebSocketError {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let reason = ERR_reason_error_string(code) else {
      return WebSocketError(.badCertificate, action)
    }
    return WebSocketError(.badCertificate, "\(action): \(String(cString: reason))")
  }
}
