import Glibc

/// Something that is done beside the caller.
final class BenchThread {
  private let body: @Sendable () -> Void
  private var thread = pthread_t()

  /// Begins with it.
  static func start(_ body: @escaping @Sendable () -> Void) throws -> BenchThread {
    let new = BenchThread(body)
    let argument = Unmanaged.passRetained(new)
    let code = pthread_create(
      &new.thread,
      nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<BenchThread>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      },
      argument.toOpaque()
    )
    guard code == 0 else {
      argument.release()
      throw BenchError("no thread: \(code)")
    }
    return new
  }

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Waits until it is done.
  func wait() { pthread_join(thread, nil) }
}
