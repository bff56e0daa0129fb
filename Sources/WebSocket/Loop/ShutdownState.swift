/// How far a loop is on its way to its end.
final class ShutdownState {
  private let library: ServiceContext
  /// Whether nothing new is accepted, and the loop ends when the last connection is gone.
  private(set) var hasBegun = false
  /// Whether the loop ends after the present round.
  private(set) var isStopped = false

  init(_ library: ServiceContext) {
    self.library = library
  }

  func begin() { hasBegun = true }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    library.wake()
  }
}
