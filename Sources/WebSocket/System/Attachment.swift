import CWebSockets

/// The object that libwebsockets carries for us: each of its sockets points at one.
///
/// The loop keeps a strong reference until libwebsockets says that the socket is destroyed, so the
/// pointer is never stale.
class Attachment {
  /// The socket, while it exists.
  final var socket: OpaquePointer?

  final var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ socket: OpaquePointer) -> Attachment? {
    lws_get_opaque_user_data(socket).map {
      Unmanaged<Attachment>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

/// A descriptor of somebody else that the loop watches, and what to do when it can be read.
final class DescriptorWatch: Attachment {
  let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }
}
