import PaletteCommands
import PaletteModel
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
    /// The line that the terminal shows now; empty for none.
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
    began = Platform.uptime
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
    let now = Platform.uptime
    state.withLock { $0.meter.update(progress, at: now) }
  }

  /// Writes something else to the terminal; the line comes back below it.
  func writeAbove(_ text: String) {
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
    let now = Platform.uptime
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
}

/// The progress of long work: how much is done, how fast it goes and how long it still takes.
struct ProgressMeter {
  /// The rate is that of the last seconds, since early ones may have been slower or faster.
  private static let window = 8.0
  /// A forecast from less than this is a guess.
  private static let leastSeconds = 0.8
  private static let barWidth = 24

  private var progress: Progress
  /// The start of the present kind of work.
  private var workBegan: Double
  private var samples: [(seconds: Double, done: Int)] = []

  /// Begins some work at a time of a clock that never goes back.
  init(_ work: String, at seconds: Double) {
    progress = Progress(work)
    workBegan = seconds
  }

  /// Takes in how far the work is.
  mutating func update(_ progress: Progress, at seconds: Double) {
    if progress.work != self.progress.work || progress.unit != self.progress.unit {
      workBegan = seconds
      samples = []
    }
    self.progress = progress
    // Reports may come many times a second; ten of them tell the rate as well.
    guard progress.unit != nil, seconds - (samples.last?.seconds ?? -1) >= 0.1 else { return }
    samples.append((seconds, progress.done))
    samples.removeAll { seconds - $0.seconds > Self.window }
  }

  /// The text for a terminal so wide; parts that do not fit are left out, the least needed first.
  func line(columns: Int, at seconds: Double) -> String {
    // A node says it, and it may name what others named.
    let work = SafeText.words(progress.work)
    var parts = [count, rate, left].compactMap(\.self)
    if parts.isEmpty { parts = [Self.duration(seconds - workBegan)] }
    if progress.total == nil, progress.unit != nil {
      parts.append(Self.duration(seconds - workBegan))
    }
    for width in [Self.barWidth, Self.barWidth / 2, 0] {
      let text = [work, bar(width)].compactMap(\.self).joined(separator: " ")
      let line = text + "  " + parts.joined(separator: ", ")
      if DisplayWidth.of(line) < columns { return line }
    }
    while parts.count > 1 {
      // Who has little room wants to know the end rather than the speed.
      parts.remove(at: parts.count > 2 ? 1 : 0)
      let line = work + "  " + parts.joined(separator: ", ")
      if DisplayWidth.of(line) < columns { return line }
    }
    return DisplayWidth.cut(work, to: max(0, columns - 1))
  }

  /// The part that is done, from 0 to 1.
  private var fraction: Double? {
    guard let total = progress.total, total > 0 else { return nil }
    return min(1, max(0, Double(progress.done) / Double(total)))
  }

  private func bar(_ width: Int) -> String? {
    guard width > 0, let fraction else { return nil }
    let filled = Int(fraction * Double(width))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: "-", count: width - filled) + "]"
  }

  private var count: String? {
    guard let unit = progress.unit else { return nil }
    let done = Self.number(progress.done, unit)
    guard let total = progress.total else { return "\(done) \(Self.word(unit))" }
    return "\(done) of \(Self.number(total, unit)) \(Self.word(unit))"
  }

  private var perSecond: Double? {
    guard let first = samples.first, let last = samples.last,
      last.seconds - first.seconds >= Self.leastSeconds, last.done > first.done
    else { return nil }
    return Double(last.done - first.done) / (last.seconds - first.seconds)
  }

  private var rate: String? {
    guard let unit = progress.unit, let perSecond else { return nil }
    if unit != .bytes, perSecond < 10 {
      let tenths = Int((perSecond * 10).rounded())
      return "\(tenths / 10).\(tenths % 10)/s"
    }
    let number = Self.number(Int(perSecond), unit)
    return unit == .bytes ? "\(number) MB/s" : "\(number)/s"
  }

  private var left: String? {
    guard let perSecond, let total = progress.total, total > progress.done else { return nil }
    return Self.duration((Double(total - progress.done) / perSecond).rounded(.up)) + " left"
  }

  private static func word(_ unit: Progress.Unit) -> String {
    unit == .bytes ? "MB" : unit.rawValue
  }

  /// A number with commas; bytes in millions.
  static func number(_ number: Int, _ unit: Progress.Unit) -> String {
    if unit == .bytes {
      let tenths = number / 100_000
      return "\(tenths / 10).\(tenths % 10)"
    }
    var digits = String(number)
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
      position -= 3
    }
    return digits
  }

  /// A time in the two units that matter.
  static func duration(_ seconds: Double) -> String {
    let seconds = Int(min(max(0, seconds), 1e9))
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
