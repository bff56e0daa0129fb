public import PaletteMerge
public import PaletteModel
public import PaletteSync

/// Everything that happens in one simulated fleet: who is connected how, and who does what when.
///
/// A run of a script has no randomness of its own. What a step does not say, such as how long each
/// message takes, follows from `key` and from what it is about, so that a script with steps taken
/// out still runs as before where those steps did not matter.
public struct Script: Sendable {
  /// The most machines of a fleet.
  static let machineLimit = 22

  /// The number from which all choices are derived that no step makes.
  public var key: UInt64
  /// The number of machines there are at the start.
  public var machines: Int
  /// The pairs of machines that joined.
  public var edges: [Edge]
  /// The amount that sessions send at a time.
  public var limits: SyncLimits
  /// The number of bytes that may wait on a connection before its sender is told to pause, and
  /// before it is closed.
  public var backlogBytes: ClosedRange<Int>
  /// The coarseness of all clocks: edits within as many milliseconds have the same stamp.
  public var clockMilliseconds: Int64
  /// The steps, in order of time.
  public var steps: [Step]
  /// The liars, and their parts.
  var liars: [LiarPart] = []
  /// The steps that one author takes, one after the other.
  var told: ClosedRange<Int>?

  /// Creates a script.
  public init(
    key: UInt64,
    machines: Int,
    edges: [Edge],
    limits: SyncLimits = SyncLimits(),
    backlogBytes: ClosedRange<Int> = 1 << 20...4 << 20,
    clockMilliseconds: Int64 = 1,
    steps: [Step] = []
  ) {
    self.key = key
    self.machines = machines
    self.edges = edges
    self.limits = limits
    self.backlogBytes = backlogBytes
    self.clockMilliseconds = clockMilliseconds
    self.steps = steps
  }

  /// A machine that joined another one's library.
  ///
  /// One that joined for several palettes, or in several roles, has an edge for each grant.
  public struct Edge: Hashable, Sendable {
    /// The machine that joined.
    public var dialer: Int
    /// Whom.
    public var hub: Int
    /// With which role.
    public var role: Role
    /// For which palette alone; nil for the whole library.
    public var palette: Int?
    /// The time at which it joins, if it comes later than the others.
    public var milliseconds: Int64?
    /// For how long it is granted that, each time but the last.
    public var lastsMilliseconds: Int64?

    /// Creates an edge.
    public init(
      _ dialer: Int,
      _ hub: Int,
      role: Role = .relay,
      palette: Int? = nil,
      at milliseconds: Int64? = nil,
      for lastsMilliseconds: Int64? = nil
    ) {
      self.dialer = dialer
      self.hub = hub
      self.role = role
      self.palette = palette
      self.milliseconds = milliseconds
      self.lastsMilliseconds = lastsMilliseconds
    }

    /// Returns whether it is about the same two machines.
    func joinsSame(as other: Edge) -> Bool { dialer == other.dialer && hub == other.hub }

    /// Returns whether it is about a palette.
    func covers(_ number: Int) -> Bool { palette ?? number == number }
  }

  /// Something that happens at a time.
  public struct Step: Hashable, Sendable {
    /// The number by which the step is called, also when others are taken out.
    public var number: Int
    /// Milliseconds since the start.
    public var milliseconds: Int64
    /// The event.
    public var event: Event

    /// Creates a step.
    public init(_ number: Int, at milliseconds: Int64, _ event: Event) {
      self.number = number
      self.milliseconds = milliseconds
      self.event = event
    }
  }

  /// The event of a step.
  public enum Event: Hashable, Sendable {
    /// A user does something at a machine, in a palette.
    case edit(Int, palette: Int, UserEdit)
    /// Something else happens to a machine or between machines.
    case fault(Fault)
  }

  /// The script without all but some of its steps.
  public func keeping(_ steps: [Step]) -> Script {
    var script = self
    script.steps = steps
    return script
  }

  /// The id of a palette; the first lies in the last of the 256 buckets, and 256 lie in all of them.
  public static func palette(_ number: Int) -> PaletteID {
    let spread = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    return PaletteID(RecordID(high: 0xA000 + UInt64(number), low: spread ^ 0xFF))
  }

  func isTold(_ step: Int) -> Bool { told?.contains(step) ?? false }

  /// The palettes that anything happens in.
  var palettes: Range<Int> {
    var last = -1
    for step in steps {
      if case .edit(_, let palette, _) = step.event { last = max(last, palette) }
    }
    return 0..<last + 1
  }

  /// The id of a color.
  public static func color(_ number: Int) -> RecordID {
    RecordID(high: 0xC0, low: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
  }
}
