import COpenSSL
import CWebSockets
import PalettePlatform

/// A connected socket, with its TLS session if it has one, that libwebsockets made and gives up.
///
/// libwebsockets polls every socket that it has, so each wake-up would cost what is connected.
final class WireSocket {
  let descriptor: Int32
  private var session: OpaquePointer?

  /// Hides the socket from libwebsockets, which goes on with what it has read already, and finds a file
  /// under the socket's number that never says anything; nil when there are no more descriptors.
  init?(hiding socket: OpaquePointer, behind silence: Int32) {
    let theirs = lws_get_socket_fd(socket)
    descriptor = fcntl(theirs, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0, dup2(silence, theirs) >= 0 else { return nil }
  }

  deinit {
    if let session { SSL_free(session) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes libwebsockets forget the connection, at once and without a word to the other side, and keeps
  /// the session; outside of its callbacks.
  ///
  /// libwebsockets shuts down and closes what is under the socket's number, and ends its session, which
  /// is told to say nothing meanwhile.
  ///
  /// - Returns: Whether the socket can be used from now on.
  func adopt(from socket: OpaquePointer, isForgotten: () -> Bool) -> Bool {
    let session = lws_get_ssl(socket)
    if let session {
      SSL_up_ref(session)
      SSL_set_quiet_shutdown(session, 1)
    }
    lws_set_opaque_user_data(socket, nil)
    // With TLS, the first time only begins to shut down.
    for _ in 0..<2 where !isForgotten() {
      lws_set_timeout(socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC)
    }
    guard let session else { return isForgotten() }
    self.session = session
    // Where libwebsockets still has the session, its file is not to be changed.
    guard isForgotten() else { return false }
    SSL_set_quiet_shutdown(session, 0)
    SSL_set_shutdown(session, 0)
    guard SSL_set_fd(session, descriptor) == 1 else { return false }
    let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_ctrl(session, SSL_CTRL_MODE, Int(modes), nil)
    // The callbacks of another handshake would look for what libwebsockets has freed.
    SSL_set_options(session, Self.noRenegotiation)
    return true
  }

  /// `SSL_OP_NO_RENEGOTIATION`, a macro that Swift does not import.
  private static let noRenegotiation: UInt64 = 1 << 30

  /// Reads some bytes: nil when there are none yet, 0 when there will be none.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard let session else {
      while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count >= 0 { return count }
        if errno != EINTR { return errno == EAGAIN ? nil : 0 }
      }
    }
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
    guard count <= 0 else { return Int(count) }
    return isWaiting(session, count) ? nil : 0
  }

  /// True if the TLS session holds bytes that no poll tells of.
  var hasPending: Bool { session.map { SSL_has_pending($0) != 0 } ?? false }

  /// True if fewer bytes than asked for mean that there are no more.
  var isExact: Bool { session == nil }

  /// Writes some bytes and tells how many: fewer when the socket takes no more now, nil when it broke.
  ///
  /// What was not written has to be what is written next.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      guard let count = writeOnce(rest) else { return nil }
      if count == 0 { break }
      written += count
    }
    return written
  }

  private func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let session else {
      while true {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let count = PalettePlatform.send(descriptor, bytes.baseAddress, bytes.count, flags)
        if count >= 0 { return count }
        if errno != EINTR { return errno == EAGAIN ? 0 : nil }
      }
    }
    ERR_clear_error()
    let count = SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count))
    guard count <= 0 else { return Int(count) }
    return isWaiting(session, count) ? 0 : nil
  }

  private func isWaiting(_ session: OpaquePointer, _ result: Int32) -> Bool {
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: true
    default: false
    }
  }

  /// Says that nothing more comes from this side.
  func finish() {
    if let session {
      ERR_clear_error()
      SSL_shutdown(session)
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
