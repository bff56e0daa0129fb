import COpenSSL

/// A certificate chain and its private key, in two PEM files.
package struct TLSIdentity: Equatable, Sendable {
  /// The file that holds the certificate, followed by any intermediate ones.
  package let certificateFile: String
  /// The file that holds the private key.
  package let keyFile: String

  /// Names two files; nothing is read yet.
  package init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }

  /// Reads both files and makes sure that they belong together.
  ///
  /// libwebsockets would start without a usable certificate and fail at every handshake instead.
  ///
  /// - Returns: The pin of the key.
  @discardableResult
  package func validate() throws(WebSocketError) -> KeyPin {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw OpenSSLFailure.error("cannot prepare TLS")
    }
    defer { SSL_CTX_free(context) }
    guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
      throw OpenSSLFailure.error("cannot read the certificate \(certificateFile)")
    }
    guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
      throw OpenSSLFailure.error("cannot use the private key \(keyFile)")
    }
    guard SSL_CTX_check_private_key(context) == 1,
      let certificate = SSL_CTX_get0_certificate(context),
      let pin = KeyPin(certificate: certificate)
    else {
      throw OpenSSLFailure.error("\(keyFile) is not the key of \(certificateFile)")
    }
    return pin
  }
}
