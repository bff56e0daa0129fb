import COpenSSL
import PalettePlatform

@testable import WebSocket

/// A TLS client that trusts everyone and looks closely.
final class TLSSession {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let socket: RawClient
  private let context: OpaquePointer
  private let session: OpaquePointer

  init(
    port: UInt16,
    protocols: [String] = ["http/1.1"],
    name: String? = "localhost",
    latest: Int32 = TLS1_3_VERSION,
    ciphers: String = "DEFAULT"
  ) throws {
    guard let context = SSL_CTX_new(TLS_client_method()), let session = SSL_new(context) else {
      throw Failure(description: "no session")
    }
    socket = try RawClient(port: port)
    self.context = context
    self.session = session
    // The oldest versions exist at the lowest level only.
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
    SSL_set_cipher_list(session, "\(ciphers):@SECLEVEL=0")
    SSL_ctrl(session, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(latest), nil)
    let offers = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    SSL_set_alpn_protos(session, offers, UInt32(offers.count))
    if var name = name.map({ Array($0.utf8CString) }) {
      SSL_ctrl(
        session,
        SSL_CTRL_SET_TLSEXT_HOSTNAME,
        Int(TLSEXT_NAMETYPE_host_name),
        &name
      )
    }
    SSL_set_fd(session, socket.descriptor)
    guard SSL_connect(session) == 1 else { throw Failure(description: "no handshake") }
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  var agreedProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(session, &name, &count)
    return name.map {
      String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
    }
  }

  /// The name of the suite that was agreed on.
  var cipher: String {
    SSL_get_current_cipher(session).flatMap { SSL_CIPHER_get_name($0) }
      .map { String(cString: $0) } ?? ""
  }

  /// Whether the server's certificate is for a name.
  func isFor(_ name: String) -> Bool {
    guard let certificate = SSL_get1_peer_certificate(session) else { return false }
    defer { X509_free(certificate) }
    return X509_check_host(certificate, name, 0, 0, nil) == 1
  }

  var pin: KeyPin? {
    guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
    defer { X509_free(certificate) }
    return KeyPin(certificate: certificate)
  }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard SSL_write(session, bytes, Int32(bytes.count)) == bytes.count else {
      throw Failure(description: "cannot write")
    }
  }

  func readToEnd() -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Int(SSL_read(session, &chunk, Int32(chunk.count)))
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
  }
}
