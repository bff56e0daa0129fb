import CWebSockets

/// Descriptors that are no connections.
extension EventLoop {
  /// Makes libwebsockets tell when any of the sockets that are served here is ready.
  func adoptPoller() -> Bool {
    poller.socket = adopt(poller.descriptor, for: poller)
    return poller.socket != nil
  }

  /// Makes libwebsockets tell when a descriptor can be read, which stays its owner's to read.
  func adopt(_ descriptor: Int32, for attachment: Attachment) -> OpaquePointer? {
    var info = lws_adopt_desc_t()
    info.vh = clientHosts[.plain]
    info.type = LWS_ADOPT_RAW_FILE_DESC
    info.fd.filefd = descriptor
    info.opaque = attachment.opaque
    return lws_adopt_descriptor_vhost_via_info(&info)
  }

  /// Calls an action whenever a descriptor can be read, which the action has to do, until the loop
  /// ends; then the loop closes it.
  ///
  /// - Returns: Whether it is watched; if not, it stays the caller's.
  package func watch(_ descriptor: Int32, _ action: @escaping () -> Void) -> Bool {
    guard !isShuttingDown else { return false }
    let watch = DescriptorWatch(action)
    watch.socket = adopt(descriptor, for: watch)
    guard watch.socket != nil else { return false }
    watches.append(watch)
    return true
  }
}
