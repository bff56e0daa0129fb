import CWebSockets

/// The functions that a context calls, always on the loop's thread.
final class ServiceCallbacks {
  /// Takes one callback of libwebsockets; zero lets it go on, anything else ends the connection.
  let handle:
    (
      lws_callback_reasons, OpaquePointer, UnsafeMutableRawPointer?, UnsafeMutableRawBufferPointer
    ) -> Int32
  /// Runs what is due.
  let runTimers: () -> Void

  init(
    handle:
      @escaping (
        lws_callback_reasons, OpaquePointer, UnsafeMutableRawPointer?, UnsafeMutableRawBufferPointer
      ) -> Int32,
    runTimers: @escaping () -> Void
  ) {
    self.handle = handle
    self.runTimers = runTimers
  }

  /// The pointer that libwebsockets keeps.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The callbacks at such a pointer.
  static func at(_ pointer: UnsafeMutableRawPointer) -> ServiceCallbacks {
    Unmanaged.fromOpaque(pointer).takeUnretainedValue()
  }
}
