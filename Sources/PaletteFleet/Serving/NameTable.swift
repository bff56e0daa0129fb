/// The libraries that names lead to, as far as a hub knows them.
struct NameTable {
  /// The library of a name.
  enum Place {
    case looking
    /// Nobody has given it to a library, as it was until a time.
    case unknown(until: Double)
    case known(SharedLibraryID)
  }

  /// The number of names that an address may have looked for at once, and the seconds until it may one more.
  private static let (looks, lookInterval) = (20.0, 1.0)
  /// The seconds for which it is believed that nobody has given a name.
  private static let unknownSeconds = 5.0
  /// The most names and addresses that are remembered.
  private static let memory = 10_000

  private var places: [String: Place] = [:]
  private var visitors = LookBudget(burst: looks, interval: lookInterval, memory: memory)

  /// The library of a name; nil where it has to be looked for.
  func place(of name: String) -> Place? { places[name] }

  /// Begins to look for a name, unless an address has had too many looked for.
  ///
  /// Nothing can be checked of whoever asks, so an address has only so many looks.
  ///
  /// - Returns: Whether it is looked for.
  mutating func look(_ name: String, for address: String, at now: Double) -> Bool {
    guard visitors.allows(address, at: now) else { return false }
    if places.count >= Self.memory {
      places = places.filter { if case .known = $0.value { true } else { false } }
    }
    places[name] = .looking
    return true
  }

  /// Remembers which library a name leads to.
  mutating func found(_ name: String, _ id: SharedLibraryID) { places[name] = .known(id) }

  /// Remembers for a while that a name leads nowhere.
  mutating func foundNothing(_ name: String, at now: Double) {
    places[name] = .unknown(until: now + Self.unknownSeconds)
  }

  /// Forgets that a name is looked for.
  mutating func forget(_ name: String) { places[name] = nil }
}
