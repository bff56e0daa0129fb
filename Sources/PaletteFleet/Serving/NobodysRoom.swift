internal import PaletteCommands
internal import PaletteNode
internal import PalettePeers
internal import PaletteStore

/// The library that lets nobody in, under all names that nobody has given to one.
///
/// Whoever asks for such a name is refused as with a wrong secret.
final class NobodysRoom {
  private let rooms: any FleetRooms
  private let caches: CachePlaces
  /// Its place among the rooms while it is open.
  private(set) var key: RoomKey?

  init(_ rooms: any FleetRooms, _ caches: CachePlaces) {
    self.rooms = rooms
    self.caches = caches
  }

  /// Opens the room where it is closed.
  ///
  /// - Returns: Its place among the rooms; nil where it cannot be opened, which is logged.
  func open() -> RoomKey? {
    if let key { return key }
    do {
      let location = caches.location("nobody")
      let store = try ChangeStore(writing: try LibraryFolder(location.home))
      key = try rooms.open("nobody", location, store) { [unowned self] in key = nil }
    } catch {
      rooms.tell(.fleet, isProblem: true, "unknown names cannot be answered: \(error)")
    }
    return key
  }
}
