/// The number of times that each address may have something looked for.
struct LookBudget {
  private let burst: Double
  private let interval: Double
  private let memory: Int
  /// The time at which an address will have its whole budget again.
  private var full: [String: Double] = [:]

  init(burst: Double, interval: Double, memory: Int) {
    self.burst = burst
    self.interval = interval
    self.memory = memory
  }

  /// Returns whether an address may have something looked for, which counts.
  mutating func allows(_ address: String, at now: Double) -> Bool {
    if full.count >= memory { full = full.filter { $0.value > now } }
    let next = max(full[address] ?? now, now) + interval
    guard next - now <= burst * interval, full.count < memory || full[address] != nil else {
      return false
    }
    full[address] = next
    return true
  }
}
