/// A unit in which people tell how long ago something was.
enum TimeUnit: CaseIterable {
  case second
  case minute
  case hour
  case day
  case week
  case month
  case year

  /// Creates a unit from its letter, its usual short form or its name, singular or plural.
  init?(_ text: some StringProtocol) {
    let unit = Self.allCases.first { unit in
      unit.spellings.contains { $0 == text || $0 + "s" == text && $0.utf8.count > 1 }
    }
    guard let unit else { return nil }
    self = unit
  }

  private var spellings: [String] {
    switch self {
    case .second: ["s", "sec", "second"]
    case .minute: ["m", "min", "minute"]
    case .hour: ["h", "hr", "hour"]
    case .day: ["d", "day"]
    case .week: ["w", "week"]
    case .month: ["month"]
    case .year: ["y", "yr", "year"]
    }
  }

  /// The length in milliseconds; nil for months and years, which vary.
  var milliseconds: Int64? {
    switch self {
    case .second: 1000
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .week: 7 * 86_400_000
    case .month, .year: nil
    }
  }
}
