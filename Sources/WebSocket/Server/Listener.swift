/// An open listener: libwebsockets only says when someone knocks.
final class Listener: Attachment {
  let id: ListenerID
  let configuration: ListenerConfiguration
  let listening: ListeningSocket
  /// The virtual host, which holds the certificate.
  let host: OpaquePointer
  var connectionCount = 0

  init(
    id: ListenerID,
    configuration: ListenerConfiguration,
    listening: ListeningSocket,
    host: OpaquePointer
  ) {
    self.id = id
    self.configuration = configuration
    self.listening = listening
    self.host = host
  }
}
