internal import PaletteCommands
internal import WebSocket

/// A library in the table of a process.
package struct RoomKey: Hashable, Sendable {
  fileprivate let index: Int

  /// Names a place of the table.
  package init(index: Int) {
    self.index = index
  }
}

/// A library that a process serves: what is known of it whether its room is open or not.
final class HostedLibrary {
  let location: LibraryLocation
  let settings: NodeSettings
  let endpoints: NodeEndpoints
  /// The links to its page, which stay good while its room is closed.
  let tickets = PageTickets()
  let metrics: NodeMetrics
  /// The listener in the home reaches its path through it to the end.
  private let home: HomeFolder?
  /// Told that its room was closed because nobody used it, and that it is no library of the process any more;
  /// nil for one whose room is opened again when it is asked for.
  let onIdle: (() -> Void)?

  init(
    at location: LibraryLocation,
    settings: NodeSettings,
    endpoints: NodeEndpoints,
    metrics: NodeMetrics,
    home: HomeFolder?,
    onIdle: (() -> Void)? = nil
  ) {
    self.location = location
    self.settings = settings
    self.endpoints = endpoints
    self.metrics = metrics
    self.home = home
    self.onIdle = onIdle
  }
}

/// The libraries of a process, and the rooms of those that are open.
///
/// A room is opened when it is asked for. Beyond the limit the one is closed that was not used for longest
/// and where nobody is; while somebody is in each of them, no other opens.
final class RoomTable {
  private struct Entry {
    let library: HostedLibrary
    var room: Room?
    /// The moment of the last use, for rooms that are open.
    var used: ContinuousClock.Instant = .now
  }

  private let limits: ProcessLimits
  private var entries: [RoomKey: Entry] = [:]
  private var nextIndex = 0
  /// The keys of the rooms that are open.
  private var openKeys: Set<RoomKey> = []
  /// The number of rooms among which the memory is divided.
  private var shares = 1

  init(_ limits: ProcessLimits) {
    self.limits = limits
  }

  /// True if there is no library.
  var isEmpty: Bool { entries.isEmpty }

  /// The rooms that are open.
  var openRooms: [Room] { openKeys.compactMap { entries[$0]?.room } }

  /// True if another room may be opened, perhaps in the place of one that nobody uses.
  var hasPlace: Bool { openKeys.count < limits.rooms || openRooms.contains(where: \.isIdle) }

  /// The room of a library; nil where it is closed, or the library has gone.
  func openRoom(_ key: RoomKey) -> Room? { entries[key]?.room }

  /// The moment at which a room was last asked for; nil for one that is closed.
  func lastUse(of key: RoomKey) -> ContinuousClock.Instant? {
    entries[key].flatMap { $0.room == nil ? nil : $0.used }
  }

  /// Adds a library, whose room is closed.
  func add(_ library: HostedLibrary) -> RoomKey {
    defer { nextIndex += 1 }
    let key = RoomKey(index: nextIndex)
    entries[key] = Entry(library: library)
    return key
  }

  /// A library, whether its room is open or not; nil where it has gone.
  subscript(key: RoomKey) -> HostedLibrary? { entries[key]?.library }

  /// Removes a library, and closes its room if it is open.
  func remove(_ key: RoomKey) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    entry.room?.close()
    if openKeys.remove(key) != nil { _ = divideMemory() }
  }

  /// Counts the room of a library as used now.
  func touch(_ key: RoomKey) { entries[key]?.used = .now }

  /// The room of a library, which counts as used now, and is opened where it is closed.
  ///
  /// - Parameters:
  ///   - key: The library.
  ///   - open: Opens its room.
  /// - Returns: The room.
  /// - Throws: `busy` when so many are in use that no more may be open, and why it cannot be opened.
  func room(_ key: RoomKey, open: (HostedLibrary) throws -> Room) throws -> Room {
    guard let library = entries[key]?.library else {
      throw APIError(code: "busy", message: "this library is served elsewhere", hint: "try again")
    }
    if let room = entries[key]?.room {
      touch(key)
      return room
    }
    if openKeys.count >= limits.rooms, !closeLeastRecentlyUsed() {
      throw APIError(
        code: "busy",
        message: "all \(limits.rooms) rooms of this process are in use",
        hint: "try again later"
      )
    }
    let room = try open(library)
    entries[key]?.room = room
    entries[key]?.used = .now
    openKeys.insert(key)
    if !divideMemory() { room.limit(to: limits.memory.divided(by: shares)) }
    return room
  }

  /// Closes rooms that nobody has used for the time that a process leaves them open.
  ///
  /// - Returns: How long to wait before the next one may be due; nil where none is closed by time.
  func closeIdle() -> Duration? {
    guard let idleTime = limits.idleTime, !openKeys.isEmpty else { return nil }
    let now = ContinuousClock.now
    for key in openKeys where now - used(key) >= idleTime { closeIfIdle(key) }
    let oldest = openKeys.map(used).min()
    // One that is in use is looked at again after the whole time.
    return oldest.map { max(idleTime - (now - $0), idleTime / 8) }
  }

  private func closeLeastRecentlyUsed() -> Bool {
    openKeys.sorted { used($0) < used($1) }.contains(where: closeIfIdle)
  }

  private func used(_ key: RoomKey) -> ContinuousClock.Instant { entries[key]?.used ?? .now }

  @discardableResult
  private func closeIfIdle(_ key: RoomKey) -> Bool {
    guard let entry = entries[key], let room = entry.room, room.isIdle else { return false }
    if let onIdle = entry.library.onIdle {
      remove(key)
      onIdle()
      return true
    }
    room.close()
    entries[key]?.room = nil
    openKeys.remove(key)
    _ = divideMemory()
    return true
  }

  /// Divides the memory among the rooms that are open, and perhaps as many more, so that it seldom has to be
  /// divided again; returns whether it was.
  private func divideMemory() -> Bool {
    var count = 1
    while count < openKeys.count { count *= 2 }
    guard count != shares else { return false }
    shares = count
    let share = limits.memory.divided(by: count)
    for room in openRooms { room.limit(to: share) }
    return true
  }
}
