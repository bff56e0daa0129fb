import PaletteCommands
import PaletteFleet
import PaletteNode
import PalettePeers
import PaletteStore
import PaletteTestSupport

/// A hub's process on a clock of the test's own: its directory is the real one, and so are its files.
final class SimulatedHub: FleetRooms {
  private struct Event {
    let time: Double
    let order: Int
    let body: () -> Void
  }

  /// The logs through which it reaches the database.
  let logs: (beat: MemoryLog, append: MemoryLog, work: MemoryLog)
  /// The rooms that are open.
  private(set) var stores: [RoomKey: ChangeStore] = [:]
  /// The events that it told of.
  private(set) var told: [LogEvent] = []
  /// The time until which it stands still.
  var frozenUntil = 0.0
  private(set) var directory: FleetDirectory?
  private(set) var id: HubID
  private unowned let world: FleetWorld
  private let index: Int
  private var idle: [RoomKey: () -> Void] = [:]
  private var events: [Event] = []
  private var count = 0

  /// Starts a process over a folder of caches.
  init(_ index: Int, in world: FleetWorld, caches: String, limits: LogLimits) {
    self.world = world
    self.index = index
    logs = (world.makeLog(), world.makeLog(), world.makeLog())
    id = HubID.random(using: &world.random)
    directory = FleetDirectory(
      id,
      self,
      caches: caches,
      logs: (logs.append, logs.work),
      limits: limits
    )
    schedule(after: .zero) { [unowned self] in register() }
  }

  private func register() {
    guard (try? logs.beat.register(row)) != nil else {
      return schedule(after: .milliseconds(500)) { [unowned self] in register() }
    }
    beat()
  }

  private var row: LogHub { LogHub(id: id, name: "hub\(index)", machine: "here", url: "") }

  /// Ends the process as SIGKILL does.
  func kill() {
    events = []
    stores = [:]
    idle = [:]
    directory = nil
  }

  /// Closes a room as one that nobody has used for a while.
  func closeIdle(_ key: RoomKey) {
    stores[key] = nil
    idle.removeValue(forKey: key)?()
  }

  // MARK: Beats

  private func beat() {
    schedule(after: .seconds(1)) { [unowned self] in beat() }
    let (sent, sender) = (now, id)
    let answer: BeatAnswer?
    do {
      answer = try logs.beat.beat(sender)
    } catch {
      return
    }
    schedule(after: .milliseconds(world.random.below(200))) { [unowned self] in
      directory?.beat(answer, of: sender, sent: sent)
      if answer == nil, sender == id { startAgain() }
    }
  }

  private func startAgain() {
    let old = id
    id = HubID.random(using: &world.random)
    if (try? logs.beat.register(row)) == nil { id = old } else { directory?.begin(as: id) }
  }

  // MARK: Time

  /// The time of the next event; nil where nothing will happen.
  var next: Double? { events.first.map { max($0.time, frozenUntil) } }

  /// Lets the next event happen.
  func step() {
    guard !events.isEmpty else { return }
    events.removeFirst().body()
  }

  var now: Double { world.now }

  func schedule(after delay: Duration, _ body: @escaping () -> Void) {
    let (seconds, attoseconds) = delay.components
    count += 1
    let time = now + max(0.000_1, Double(seconds) + Double(attoseconds) * 1e-18)
    let event = Event(time: time, order: count, body: body)
    let place = events.firstIndex { (time, count) < ($0.time, $0.order) } ?? events.endIndex
    events.insert(event, at: place)
  }

  func perform<Result: Sendable>(
    isSlow: Bool,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result) -> Void
  ) -> Bool {
    let delay = world.random.below(isSlow ? 500 : 30)
    let answer = world.random.below(30)
    schedule(after: .milliseconds(delay)) { [unowned self] in
      let result = work()
      schedule(after: .milliseconds(answer)) { then(result) }
    }
    return true
  }

  // MARK: Rooms

  let hasPlace = true

  func open(
    _ name: String,
    _ location: LibraryLocation,
    _ store: ChangeStore,
    onIdle: @escaping () -> Void
  ) throws -> RoomKey {
    count += 1
    let key = RoomKey(index: count)
    stores[key] = store
    idle[key] = onIdle
    return key
  }

  func close(_ key: RoomKey, because reason: String) {
    stores[key] = nil
    idle[key] = nil
  }

  func sendAway(_ key: RoomKey, because reason: String) {}

  func passFetched() {}

  func tell(_ event: LogEvent, isProblem: Bool, _ message: String) {
    told.append(event)
    world.trace("hub\(index): \(message)")
  }
}
