import PaletteCommands
import PalettePlatform
import Synchronization

/// The line of a terminal that shows how far long work is, from half a second on.
///
/// A thread draws it, so that it also moves while the work says nothing; whoever else writes to the
/// terminal goes through here, so that nothing is written into the line.
final class ProgressLine: Sendable {
  private static let delay = 0.5
  private static let interval: UInt32 = 125_000

  private struct State {
    var meter: ProgressMeter
    /// What the terminal shows now; empty for nothing.
    var shown = ""
    var isOver = false
  }

  private let began: Double
  private let state: Mutex<State>
  private let write: @Sendable (String) -> Void
  private let columns: @Sendable () -> Int

  /// The line that is on the terminal, for whoever has to end the process.
  private static let current = Mutex<ProgressLine?>(nil)

  /// Begins some work.
  ///
  /// - Parameters:
  ///   - work: What is being done, until more is known.
  ///   - columns: How wide the terminal is now.
  ///   - write: Writes to the terminal.
  init(
    _ work: String,
    columns: @escaping @Sendable () -> Int,
    write: @escaping @Sendable (String) -> Void
  ) {
    began = Self.now
    state = Mutex(State(meter: ProgressMeter(work, at: began)))
    self.columns = columns
    self.write = write
  }

  /// Lets a thread draw the line until it is ended.
  func start() {
    Self.current.withLock { $0 = self }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        let line = Unmanaged<ProgressLine>.fromOpaque(context).takeRetainedValue()
        while line.draw() { usleep(ProgressLine.interval) }
        return nil
      },
      context.toOpaque()
    )
    // Without a thread nothing is shown, and the work goes on.
    guard status == 0 else { return context.release() }
    pthread_detach(thread)
  }

  /// Takes in how far the work is.
  func update(_ progress: Progress) {
    let now = Self.now
    state.withLock { $0.meter.update(progress, at: now) }
  }

  /// Writes something else to the terminal; the line comes back below it.
  func note(_ text: String) {
    state.withLock { state in
      write((state.shown.isEmpty ? "" : Self.erasing) + text)
      state.shown = ""
    }
  }

  /// Takes the line away for good.
  func end() {
    state.withLock { state in
      state.isOver = true
      if !state.shown.isEmpty { write(Self.erasing) }
      state.shown = ""
    }
    Self.current.withLock { $0 = nil }
  }

  /// Takes away the line that is on the terminal, if there is one.
  static func endCurrent() {
    current.withLock { $0 }?.end()
  }

  /// Draws the line where it is due and changed; false once it has ended.
  private func draw() -> Bool {
    let now = Self.now
    return state.withLock { state in
      guard !state.isOver else { return false }
      guard now - began >= Self.delay else { return true }
      let line = state.meter.line(columns: columns(), at: now)
      if line != state.shown {
        // Overwritten and not emptied first, so that nothing flickers.
        write("\r" + line + "\u{1B}[K")
        state.shown = line
      }
      return true
    }
  }

  private static let erasing = "\r\u{1B}[K"

  /// Seconds of a clock that never goes back.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
