internal import PaletteNode
internal import PaletteStore

/// The rooms of the libraries that are open at a hub.
struct OpenRooms {
  /// A library that is open.
  struct Room {
    let key: RoomKey
    let owned: OwnedLog
    /// The store, which the process has.
    weak var store: ChangeStore?
    /// The number of times, as far as is told, that others knew more of the library's own edits than it.
    fileprivate var rollbacks = 0

    init(key: RoomKey, owned: OwnedLog, store: ChangeStore) {
      self.key = key
      self.owned = owned
      self.store = store
    }
  }

  private var rooms: [SharedLibraryID: Room] = [:]
  private var libraries: [RoomKey: SharedLibraryID] = [:]

  /// The number of libraries.
  var count: Int { rooms.count }

  /// The rooms of the process.
  var keys: [RoomKey] { rooms.values.map(\.key) }

  /// The libraries whose log has grown so much that an image is due, in order.
  var needingImages: [SharedLibraryID] { rooms.filter { $0.value.owned.needsImage }.keys.sorted() }

  /// The room of a library; nil where it is not open.
  subscript(library: SharedLibraryID) -> Room? { rooms[library] }

  /// The library of a room.
  func library(of key: RoomKey) -> SharedLibraryID? { libraries[key] }

  /// Adds a library that was opened.
  mutating func add(_ room: Room, of library: SharedLibraryID) {
    rooms[library] = room
    libraries[room.key] = library
  }

  /// The libraries of which others have shown own edits that they lack, since this was last asked, in order.
  mutating func removeRolledBack() -> [SharedLibraryID] {
    let found = rooms.mapValues { $0.store?.rollbackCount ?? 0 }
      .filter { $0.value > rooms[$0.key]?.rollbacks ?? 0 }
    for (id, count) in found { rooms[id]?.rollbacks = count }
    return found.keys.sorted()
  }

  /// Removes a library that is about to be closed.
  ///
  /// - Returns: Its room; nil where it was not open.
  mutating func remove(_ library: SharedLibraryID) -> RoomKey? {
    guard let key = rooms.removeValue(forKey: library)?.key else { return nil }
    libraries[key] = nil
    return key
  }
}
