import COpenSSL
import CWebSockets
import PalettePlatform

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

  /// Makes a P-256 key and a certificate that it signs itself, and writes both into a folder.
  ///
  /// The certificate is valid for `localhost`, `127.0.0.1`, `::1` and the given names or addresses,
  /// for ten years from yesterday. The files are readable by their owner alone and replace earlier
  /// ones in one step each, the key first.
  ///
  /// - Parameters:
  ///   - folder: An existing folder.
  ///   - names: Further host names and IP addresses; at most a hundred are used.
  ///   - days: How long it is valid.
  /// - Returns: The two files.
  /// - Throws: `badCertificate`, if OpenSSL or the folder refuses.
  package static func makeSelfSigned(
    in folder: String,
    names: [String] = [],
    days: Int = usualDays
  ) throws(WebSocketError) -> TLSIdentity {
    guard let key = makeKey() else { throw OpenSSLFailure.error("cannot make a key") }
    defer { EVP_PKEY_free(key) }
    let identity = selfSigned(in: folder)
    try write(to: identity.keyFile) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    try writeCertificate(of: identity, key, names, days: days)
    return identity
  }

  /// Keeps the certificate that `makeSelfSigned` made as long as it is right.
  ///
  /// It is made again when the names are others, when it ends within 30 days, and when an older
  /// version of this program would make another one. The key stays the same, and so its pin does; a
  /// new one is made only where there is none that can be used.
  ///
  /// - Parameters:
  ///   - folder: An existing folder.
  ///   - names: Further host names and IP addresses; at most a hundred are used.
  /// - Returns: The two files, and whether the certificate was made now.
  /// - Throws: `badCertificate`, if OpenSSL or the folder refuses.
  package static func keepSelfSigned(
    in folder: String,
    names: [String] = []
  ) throws(WebSocketError) -> (identity: TLSIdentity, isNew: Bool) {
    let identity = selfSigned(in: folder)
    guard let key = readKey(identity.keyFile) else {
      return (try makeSelfSigned(in: folder, names: names), true)
    }
    defer { EVP_PKEY_free(key) }
    if isRight(identity.certificateFile, key, names) { return (identity, false) }
    try writeCertificate(of: identity, key, names, days: usualDays)
    return (identity, true)
  }

  /// Ten years: those who connect look at the key, not at dates.
  package static let usualDays = 3650
  /// So many days before its end a certificate is made again.
  private static let renewalDays = 30

  private static func selfSigned(in folder: String) -> TLSIdentity {
    TLSIdentity(certificateFile: "\(folder)/certificate.pem", keyFile: "\(folder)/key.pem")
  }

  private static func writeCertificate(
    of identity: TLSIdentity,
    _ key: OpaquePointer,
    _ names: [String],
    days: Int
  ) throws(WebSocketError) {
    let certificate = try makeCertificate(for: key, names, days: days)
    defer { X509_free(certificate) }
    try write(to: identity.certificateFile) { PEM_write_bio_X509($0, certificate) }
  }

  /// Reads a private key; nil when there is none that can be used.
  private static func readKey(_ path: String) -> OpaquePointer? {
    defer { ERR_clear_error() }
    guard let file = BIO_new_file(path, "r") else { return nil }
    defer { BIO_free(file) }
    // With a passphrase at hand, OpenSSL asks nobody for one.
    var passphrase: [CChar] = [0]
    return PEM_read_bio_PrivateKey(file, nil, nil, &passphrase)
  }

  /// Returns whether a certificate is for the key and the names, is valid for a while, and allows
  /// no more than it should.
  private static func isRight(_ path: String, _ key: OpaquePointer, _ names: [String]) -> Bool {
    defer { ERR_clear_error() }
    guard let file = BIO_new_file(path, "r") else { return false }
    defer { BIO_free(file) }
    guard let certificate = PEM_read_bio_X509(file, nil, nil, nil) else { return false }
    defer { X509_free(certificate) }
    var soon = time(nil) + renewalDays * day
    let extensions = extensions(for: names)
    return X509_check_private_key(certificate, key) == 1
      && X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0
      && X509_cmp_time(X509_get0_notAfter(certificate), &soon) > 0
      && X509_get_ext_count(certificate) == extensions.count
      && extensions.allSatisfy { has(certificate, $0.kind, $0.value) }
  }

  /// Returns whether a certificate says something just as `add` would write it.
  private static func has(_ certificate: OpaquePointer, _ kind: Int32, _ value: String) -> Bool {
    guard let wanted = X509V3_EXT_conf_nid(nil, nil, kind, value) else { return false }
    defer { X509_EXTENSION_free(wanted) }
    guard let found = X509_get_ext(certificate, X509_get_ext_by_NID(certificate, kind, -1)) else {
      return false
    }
    return X509_EXTENSION_get_critical(found) == X509_EXTENSION_get_critical(wanted)
      && ASN1_OCTET_STRING_cmp(X509_EXTENSION_get_data(found), X509_EXTENSION_get_data(wanted))
        == 0
  }

  private static func makeKey() -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_keygen(context, &key) == 1
    else { return nil }
    return key
  }

  private static func makeCertificate(
    for key: OpaquePointer,
    _ names: [String],
    days: Int
  ) throws(WebSocketError) -> OpaquePointer {
    guard let certificate = X509_new() else { throw OpenSSLFailure.error("cannot make it") }
    var serial: UInt64 = 0
    let isMade =
      X509_set_version(certificate, 2) == 1
      && withUnsafeMutableBytes(of: &serial) {
        RAND_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), 8) == 1
      }
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1
      && X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil
      && X509_gmtime_adj(X509_getm_notAfter(certificate), days * day) != nil
      && X509_set_pubkey(certificate, key) == 1
      && X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate),
        "CN",
        MBSTRING_UTF8,
        "self-signed",
        -1,
        -1,
        0
      ) == 1
      && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1
      && extensions(for: names).allSatisfy { add($0.kind, $0.value, to: certificate) }
      && X509_sign(certificate, key, EVP_sha256()) > 0
    guard isMade else {
      X509_free(certificate)
      throw OpenSSLFailure.error("cannot make a certificate for \(names.joined(separator: ", "))")
    }
    return certificate
  }

  private static let day = 24 * 60 * 60

  /// The extensions of a certificate: whom it is for, and that it is good for a server alone and
  /// signs no other certificate.
  private static func extensions(for names: [String]) -> [(kind: Int32, value: String)] {
    [
      (NID_subject_alt_name, alternativeNames(names)),
      (NID_basic_constraints, "critical,CA:FALSE"),
      (NID_key_usage, "critical,digitalSignature"),
      (NID_ext_key_usage, "serverAuth"),
    ]
  }

  /// The names as OpenSSL's configuration language spells them, in the same order each time.
  ///
  /// What is no host is left out, so that no name can smuggle in other entries.
  private static func alternativeNames(_ names: [String]) -> String {
    var entries = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
    let others = names.sorted().compactMap { name -> String? in
      guard let authority = Authority(name.contains(":") ? "[\(name)]" : name),
        authority.port == nil
      else { return nil }
      return authority.isLiteral ? "IP:\(authority.host)" : "DNS:\(authority.host)"
    }
    for entry in others.prefix(100) where !entries.contains(entry) { entries.append(entry) }
    return entries.joined(separator: ",")
  }

  private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
    guard let entry = X509V3_EXT_conf_nid(nil, nil, kind, value) else { return false }
    defer { X509_EXTENSION_free(entry) }
    return X509_add_ext(certificate, entry, -1) == 1
  }

  private static func write(
    to path: String,
    encode: (OpaquePointer) -> Int32
  ) throws(WebSocketError) {
    guard let memory = BIO_new(BIO_s_mem()) else { throw OpenSSLFailure.error("cannot encode") }
    defer { BIO_free(memory) }
    guard encode(memory) == 1 else { throw OpenSSLFailure.error("cannot encode \(path)") }
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let count = Int(BIO_read(memory, &bytes, Int32(bytes.count)))
    let temporary = "\(path).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { unlink(temporary) }
    guard descriptor >= 0, count > 0 else { throw unwritable(path) }
    let isWritten =
      PalettePlatform.write(descriptor, bytes, count) == count && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
      throw unwritable(path)
    }
  }

  private static func unwritable(_ path: String) -> WebSocketError {
    WebSocketError(.badCertificate, "cannot write \(path): \(Platform.failureReason)")
  }
}

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

/// The part of OpenSSL that libwebsockets prepares once.
///
/// It would do so for every context that asks, and move the slot in which a TLS session remembers
/// its connection each time; the handshakes of all other loops would fail. So one context that
/// serves nothing asks, once a process, and the flag that asks is given to virtual hosts alone.
enum TLSLibrary {
  /// The flag; a virtual host needs it to use TLS at all.
  static let flag = UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)

  /// True if OpenSSL is ready; the first use makes it so.
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
