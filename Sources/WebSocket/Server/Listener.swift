/// An open listener: libwebsockets only says when someone knocks.
final class Listener: Attachment {
  let id: ListenerID
  let configuration: ListenerConfiguration
  let listening: ListeningSocket
  /// The virtual host, which holds the certificate.
  let host: OpaquePointer
  /// The OpenSSL object of the certificate; it lasts as long as the host.
  var security: OpaquePointer?
  var connectionCount = 0
  /// True if it is a Unix socket, to which file permissions let nobody but the owner.
  let isLocal: Bool

  init(
    id: ListenerID,
    configuration: ListenerConfiguration,
    listening: ListeningSocket,
    host: OpaquePointer
  ) {
    self.id = id
    self.configuration = configuration
    self.listening = listening
    if case .unix = configuration.endpoint { isLocal = true } else { isLocal = false }
    self.host = host
  }
}
