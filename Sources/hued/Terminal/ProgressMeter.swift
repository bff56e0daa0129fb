import PaletteCommands

/// What is said about long work: how much is done, how fast it goes and how long it still takes.
struct ProgressMeter {
  /// The rate is that of the last seconds, since early ones may have been slower or faster.
  private static let window = 8.0
  /// A forecast from less than this is a guess.
  private static let leastSeconds = 0.8
  private static let barWidth = 24

  private var progress: Progress
  private let began: Double
  /// When the present kind of work began.
  private var workBegan: Double
  private var samples: [(seconds: Double, done: Int)] = []

  /// Begins some work at a time of a clock that never goes back.
  init(_ work: String, at seconds: Double) {
    progress = Progress(work)
    began = seconds
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
    var parts = [count, rate, left].compactMap(\.self)
    if parts.isEmpty { parts = [Self.duration(seconds - workBegan)] }
    if progress.total == nil, progress.unit != nil {
      parts.append(Self.duration(seconds - workBegan))
    }
    for width in [Self.barWidth, Self.barWidth / 2, 0] {
      let text = [progress.work, bar(width)].compactMap(\.self).joined(separator: " ")
      let line = text + "  " + parts.joined(separator: ", ")
      if DisplayWidth.of(line) < columns { return line }
    }
    while parts.count > 1 {
      // Who has little room wants to know the end rather than the speed.
      parts.remove(at: parts.count > 2 ? 1 : 0)
      let line = progress.work + "  " + parts.joined(separator: ", ")
      if DisplayWidth.of(line) < columns { return line }
    }
    return DisplayWidth.cut(progress.work, to: max(0, columns - 1))
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
