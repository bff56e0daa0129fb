internal import PaletteModel
internal import PaletteStore

/// Opens the library in a folder for one call.
final class FolderAccess: LibraryAccess {
  let location: LibraryLocation
  /// Whether the library that was opened for writing has joined a peer.
  private(set) var hasPeers = false

  init(location: LibraryLocation) {
    self.location = location
  }

  var sharing: (any Sharing)? { nil }
  var now: Moment { Moment(milliseconds: systemMilliseconds()) }

  var listening: [String]? { nil }

  func reading() throws -> ChangeStore? {
    let folder = try LibraryFolder(location.home)
    do throws(StoreError) {
      return try ChangeStore.reading(folder)
    } catch  where error.code == .olderFormat {
      // Opening for writing migrates it; where that cannot be done, nobody can read it.
      return try ChangeStore(writing: folder)
    }
  }

  func editing() throws -> ChangeStore? {
    let folder = try LibraryFolder(location.home)
    return folder.exists ? try creating() : nil
  }

  func creating() throws -> ChangeStore {
    let store = try ChangeStore(writing: try LibraryFolder(location.home))
    hasPeers = try !store.peers().isEmpty
    return store
  }
}
