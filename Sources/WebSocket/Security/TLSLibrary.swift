import CWebSockets

/// What libwebsockets prepares once for all of OpenSSL.
///
/// It would do so for every context that asks, and move the slot in which a TLS session remembers
/// its connection each time; the handshakes of all other loops would fail. So one context that
/// serves nothing asks, once a process, and the flag that asks is given to virtual hosts alone.
enum TLSLibrary {
  /// The flag; a virtual host needs it to use TLS at all.
  static let flag = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)

  /// Whether OpenSSL is ready; the first use makes it so.
  static let isPrepared: Bool = {
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = flag | UInt64(LWS_SERVER_OPTION_EXPLICIT_VHOSTS)
    info.gid = -1
    info.uid = -1
    guard let context = lws_create_context(&info) else { return false }
    lws_context_destroy(context)
    return true
  }()
}
