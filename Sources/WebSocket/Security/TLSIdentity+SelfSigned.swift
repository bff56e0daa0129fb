import COpenSSL
import Glibc

extension TLSIdentity {
  /// Makes a P-256 key and a certificate that it signs itself, and writes both into a folder.
  ///
  /// The certificate is valid for `localhost`, `127.0.0.1`, `::1` and the given names or addresses,
  /// for ten years from yesterday. The files are readable by their owner alone and replace earlier
  /// ones in one step each, the key first.
  ///
  /// - Parameters:
  ///   - folder: An existing folder.
  ///   - names: Further host names and IP addresses.
  /// - Returns: The two files.
  /// - Throws: `badCertificate`, if OpenSSL or the folder refuses.
  package static func makeSelfSigned(
    in folder: String,
    names: [String] = []
  ) throws(WebSocketError) -> TLSIdentity {
    guard let key = makeKey() else { throw OpenSSLFailure.error("cannot make a key") }
    defer { EVP_PKEY_free(key) }
    let certificate = try makeCertificate(
      for: key,
      names: ["localhost", "127.0.0.1", "::1"] + names
    )
    defer { X509_free(certificate) }
    let identity = TLSIdentity(
      certificateFile: "\(folder)/certificate.pem",
      keyFile: "\(folder)/key.pem"
    )
    try write(to: identity.keyFile) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    try write(to: identity.certificateFile) { PEM_write_bio_X509($0, certificate) }
    return identity
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
    names: [String]
  ) throws(WebSocketError) -> OpaquePointer {
    guard let certificate = X509_new() else { throw OpenSSLFailure.error("cannot make it") }
    let day = 24 * 60 * 60
    var serial: UInt64 = 0
    let isMade =
      X509_set_version(certificate, 2) == 1
      && withUnsafeMutableBytes(of: &serial) {
        RAND_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), 8) == 1
      }
      && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1
      && X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil
      && X509_gmtime_adj(X509_getm_notAfter(certificate), 3650 * day) != nil
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
      && add(NID_subject_alt_name, alternativeNames(names), to: certificate)
      && add(NID_basic_constraints, "critical,CA:TRUE", to: certificate)
      && add(NID_ext_key_usage, "serverAuth", to: certificate)
      && X509_sign(certificate, key, EVP_sha256()) > 0
    guard isMade else {
      X509_free(certificate)
      throw OpenSSLFailure.error("cannot make a certificate for \(names.joined(separator: ", "))")
    }
    return certificate
  }

  /// The names as OpenSSL's configuration language spells them; what is no host is left out, so
  /// that no name can smuggle in other entries.
  private static func alternativeNames(_ names: [String]) -> String {
    var entries: [String] = []
    for name in names {
      if let authority = Authority(name.contains(":") ? "[\(name)]" : name), authority.port == nil {
        entries.append(authority.isLiteral ? "IP:\(authority.host)" : "DNS:\(authority.host)")
      }
    }
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
    let isWritten = Glibc.write(descriptor, bytes, count) == count && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
      throw unwritable(path)
    }
  }

  private static func unwritable(_ path: String) -> WebSocketError {
    WebSocketError(.badCertificate, "cannot write \(path): \(String(cString: strerror(errno)))")
  }
}
