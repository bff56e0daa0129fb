/// The promise of a palette to call a closure, until it is cancelled.
///
/// Letting go of it cancels nothing: the closure is called for as long as the palette lives.
public final class PaletteObservation {
  private var stop: (() -> Void)?

  init(stop: @escaping () -> Void) {
    self.stop = stop
  }

  /// Ends the calls, at once: also those of a change that is being reported now.
  public func cancel() {
    stop?()
    stop = nil
  }
}
