import CWebSockets

/// The one thing that another thread may do with a loop: end its wait.
///
/// `@unchecked Sendable` is sound because a single call is reachable, `lws_cancel_service`, which
/// libwebsockets allows from any thread while the context exists
/// (READMEs/README.coding.md, "Libwebsockets is singlethreaded"), and because `Inbox` calls it under
/// the lock with which it also forgets the waker, on the loop's thread, before the context is
/// destroyed.
struct Waker: @unchecked Sendable {
  private let context: OpaquePointer

  init(_ context: OpaquePointer) {
    self.context = context
  }

  func wake() {
    lws_cancel_service(context)
  }
}
