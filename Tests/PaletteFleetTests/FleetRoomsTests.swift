import PaletteCommands
import PaletteNode
import PalettePeers
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteFleet

/// What a hub has done beside its loop.
struct FleetRoomsTests {
  /// A process that takes work only when it was offered so often.
  private final class BusyRooms: FleetRooms {
    var refusals: Int
    private(set) var offers = 0
    private var scheduled: [() -> Void] = []
    private(set) var told: [String] = []
    var now = 0.0
    var hasPlace = true

    init(refusals: Int) {
      self.refusals = refusals
    }

    func open(
      _ name: String,
      _ location: LibraryLocation,
      _ store: ChangeStore,
      onIdle: @escaping () -> Void
    ) throws -> RoomKey {
      throw SharedLogError(.notDone, .busy, "there are no rooms")
    }

    func close(_ key: RoomKey, because reason: String) {}

    func sendAway(_ key: RoomKey, because reason: String) {}

    func passFetched() {}

    func tell(_ event: LogEvent, isProblem: Bool, _ message: String) { told.append(message) }

    func schedule(after delay: Duration, _ body: @escaping () -> Void) { scheduled.append(body) }

    func perform<Result: Sendable>(
      isSlow: Bool,
      _ work: @escaping @Sendable () -> Result,
      then: @escaping (Result) -> Void
    ) -> Bool {
      offers += 1
      guard offers > refusals else { return false }
      then(work())
      return true
    }

    /// Lets the time come of all that is scheduled, and of what that schedules.
    func run() { while !scheduled.isEmpty { scheduled.removeFirst()() } }
  }

  private func result(refusals: Int) -> (Result<Int, any Error>?, offers: Int) {
    let rooms = BusyRooms(refusals: refusals)
    var found: Result<Int, any Error>?
    rooms.perform(with: MemoryLog(MemoryDatabase()), isSlow: false) { _ in
      1
    } then: {
      found = $0
    }
    rooms.run()
    return (found, rooms.offers)
  }

  @Test func whatIsNotTakenIsOfferedAgain() throws {
    #expect(try result(refusals: 0).0?.get() == 1)
    let (found, offers) = result(refusals: 40)
    #expect(try found?.get() == 1 && offers == 41)
  }

  @Test func whatIsNeverTakenFails() {
    let (found, offers) = result(refusals: .max)
    #expect(throws: SharedLogError.self) { _ = try found?.get() }
    #expect(offers == 101)
  }

  @Test(arguments: [true, false])
  func aHubTakesNothingThatItHasNoPlaceFor(_ hasPlace: Bool) throws {
    let home = try TemporaryLibrary()
    let log = MemoryLog(MemoryDatabase())
    let store = try ChangeStore(writing: home.folder)
    try FleetFixture.publish(store, as: "studio", to: log, image: home.folder.file("image"))
    let (hub, rooms) = (HubID(1), BusyRooms(refusals: 0))
    rooms.hasPlace = hasPlace
    try log.register(LogHub(id: hub, name: "one", machine: "here", url: ""))
    let directory = FleetDirectory(
      hub,
      rooms,
      caches: home.folder.path + "/caches",
      logs: (append: log, work: log)
    )
    directory.beat(try log.beat(hub), of: hub, sent: 0)
    #expect(directory.find("studio", for: "10.0.0.1") == .later(seconds: 1))
    #expect(try log.look("studio")?.state.epoch == (hasPlace ? 2 : 1))
    #expect(rooms.told.contains("all rooms are in use") == !hasPlace)
  }
}
