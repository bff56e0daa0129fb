package import PaletteCommands
package import PaletteNode
package import PalettePeers
internal import PalettePlatform
package import PaletteStore

/// The process in which a hub serves its libraries, as far as its directory needs it.
package protocol FleetRooms: AnyObject {
  /// The seconds since the machine started, those included in which it slept.
  var now: Double { get }

  /// True if another room may be opened, perhaps in the place of one that nobody uses.
  var hasPlace: Bool { get }

  /// Opens the room of a library whose store is open.
  ///
  /// - Parameters:
  ///   - name: The name that leads to it.
  ///   - location: The place of the library.
  ///   - store: Its store.
  ///   - onIdle: Told that the room was closed, because nobody used it.
  /// - Returns: Its place among the rooms.
  /// - Throws: `busy` when so many are in use that no more may be open.
  func open(
    _ name: String,
    _ location: LibraryLocation,
    _ store: ChangeStore,
    onIdle: @escaping () -> Void
  ) throws -> RoomKey

  /// Sends everybody away who is connected to a library, and closes its room.
  func close(_ key: RoomKey, because reason: String)

  /// Sends everybody away who is connected to a library, which stays open.
  func sendAway(_ key: RoomKey, because reason: String)

  /// Lets the requests go on that waited for libraries which are not being fetched any more.
  func passFetched()

  /// Writes a line to the log of the process.
  func tell(_ event: LogEvent, isProblem: Bool, _ message: String)

  /// Calls `body` on the directory's thread after a time.
  func schedule(after delay: Duration, _ body: @escaping () -> Void)

  /// Runs work on another thread, and passes its result to the directory's thread.
  ///
  /// - Parameters:
  ///   - isSlow: True if it may take seconds, so that nothing else may wait for it.
  ///   - work: The work; it may touch nothing of the directory.
  ///   - then: Gets its result.
  /// - Returns: Whether it was taken: there is a limit to what waits.
  func perform<Result: Sendable>(
    isSlow: Bool,
    _ work: @escaping @Sendable () -> Result,
    then: @escaping (Result) -> Void
  ) -> Bool
}

/// The times that work is offered again where too much waits already.
private let offers = (pause: Duration.milliseconds(100), count: 100)

extension FleetRooms {
  /// Returns whether a library may be taken, which is made as a whole before its room is opened; tells where not.
  func mayTake() -> Bool {
    if !hasPlace { tell(.fleet, isProblem: true, "all rooms are in use") }
    return hasPlace
  }

  /// Runs work with the database on another thread, and passes its result to the directory's thread.
  ///
  /// Hundreds of libraries may have to be opened at once, more than may wait to be: they take turns.
  ///
  /// - Parameters:
  ///   - log: The connection, which is made again where it is lost.
  ///   - isSlow: True if it may take seconds.
  ///   - work: The work.
  ///   - then: Gets its result, or why it was not done.
  func perform<Result: Sendable>(
    with log: any SharedLog,
    isSlow: Bool,
    _ work: @escaping @Sendable (any SharedLog) throws -> Result,
    then: @escaping (Swift.Result<Result, any Error>) -> Void
  ) {
    let attempt: @Sendable () -> Swift.Result<Result, any Error> = {
      Swift.Result {
        try log.connect()
        return try work(log)
      }
    }
    offer(isSlow: isSlow, attempt, then: then, times: offers.count)
  }

  private func offer<Result: Sendable>(
    isSlow: Bool,
    _ attempt: @escaping @Sendable () -> Swift.Result<Result, any Error>,
    then: @escaping (Swift.Result<Result, any Error>) -> Void,
    times: Int
  ) {
    guard !perform(isSlow: isSlow, attempt, then: then) else { return }
    schedule(after: offers.pause) { [weak self] in
      guard times > 0, let self else {
        return then(.failure(SharedLogError(.notDone, .busy, "too much is being done")))
      }
      offer(isSlow: isSlow, attempt, then: then, times: times - 1)
    }
  }
}

extension HubRooms: FleetRooms {
  package var now: Double { Platform.secondsSinceStart }

  package func tell(_ event: LogEvent, isProblem: Bool, _ message: String) {
    log(event, isProblem: isProblem, message)
  }
}
