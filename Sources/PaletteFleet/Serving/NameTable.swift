/// The libraries that names lead to, as far as a hub knows them.
struct NameTable {
  /// The library of a name.
  enum Place {
    case looking
    /// Nobody has given it to a library, as it was until a time.
    case unknown(until: Double)
    case known(SharedLibraryID)
  }

  /// A library that somebody asks for here, and that another hub has.
  private struct Wait {
    let owner: HubID
    let next: Double
    let end: Double
  }

  /// The number of names that an address may have looked for at once, and the seconds until it may one more.
  private static let (looks, lookInterval) = (20.0, 1.0)
  /// The share of an address behind which there are many, as that of a proxy.
  private static let crowd = 16.0
  /// The seconds for which it is believed that nobody has given a name.
  private static let unknownSeconds = 5.0
  /// The seconds between looks for a library that another hub has, and those for which they cost nobody anything.
  private static let (waitInterval, waitSeconds) = (0.9, 30.0)
  /// The most names and addresses that are remembered.
  private static let memory = 10_000

  private let isBehindProxy: Bool
  private var places: [String: Place] = [:]
  private var waits: [String: Wait] = [:]
  private var visitors = LookBudget(burst: looks, interval: lookInterval, memory: memory)
  private var crowds = LookBudget(
    burst: looks * crowd,
    interval: lookInterval / crowd,
    memory: memory
  )

  /// Begins with no name.
  ///
  /// - Parameter isBehindProxy: True if everybody comes from the address of a proxy.
  init(isBehindProxy: Bool) {
    self.isBehindProxy = isBehindProxy
  }

  /// The library of a name; nil where it has to be looked for.
  func place(of name: String) -> Place? { places[name] }

  /// Begins to look for a name, unless an address has had too many looked for.
  ///
  /// Nothing can be checked of whoever asks, so an address has only so many looks. A library that another hub has
  /// is asked for again and again until it is here, which counts once. Names that have led to a library count
  /// apart, so that whoever makes up names keeps nobody from those.
  ///
  /// - Returns: Whether it is looked for.
  mutating func look(_ name: String, for address: String, at now: Double) -> Bool {
    if let wait = waits[name], now < wait.end {
      guard now >= wait.next else { return false }
    } else {
      guard allows(address, isKnown: isKnown(name), at: now) else { return false }
    }
    begin(name)
    return true
  }

  /// Begins to look for those names again whose libraries were waited for until their hub was gone.
  ///
  /// - Returns: The names.
  mutating func lookAgain(at now: Double, where isGone: (HubID) -> Bool) -> [String] {
    waits = waits.filter { now < $0.value.end }
    let names = waits.keys.sorted().filter { name in
      if case .looking? = places[name] { return false }
      return waits[name].map { isGone($0.owner) } ?? false
    }
    for name in names { begin(name) }
    return names
  }

  private func isKnown(_ name: String) -> Bool {
    if case .known? = places[name] { true } else { false }
  }

  private mutating func allows(_ address: String, isKnown: Bool, at now: Double) -> Bool {
    // A proxy of this machine is not told apart from its people.
    let isCrowd = isBehindProxy || address.hasPrefix("127.") || address == "::1"
    let visitor = isKnown ? address + " of libraries" : address
    return isCrowd ? crowds.allows(visitor, at: now) : visitors.allows(visitor, at: now)
  }

  private mutating func begin(_ name: String) {
    if places.count >= Self.memory {
      places = places.filter { if case .known = $0.value { true } else { false } }
    }
    places[name] = .looking
  }

  /// Remembers which library a name leads to, and the other hub that has it.
  mutating func found(_ name: String, _ id: SharedLibraryID, at owner: HubID?, now: Double) {
    places[name] = .known(id)
    let end = waits.removeValue(forKey: name)?.end ?? now + Self.waitSeconds
    guard let owner, now < end, waits.count < Self.memory else { return }
    waits[name] = Wait(owner: owner, next: now + Self.waitInterval, end: end)
  }

  /// Remembers for a while that a name leads nowhere.
  mutating func foundNothing(_ name: String, at now: Double) {
    places[name] = .unknown(until: now + Self.unknownSeconds)
  }

  /// Forgets that a name is looked for.
  mutating func forget(_ name: String) { places[name] = nil }
}
