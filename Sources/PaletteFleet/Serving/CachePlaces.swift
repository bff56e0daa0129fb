internal import PaletteCommands
internal import PaletteStore

/// The places of a hub's caches, each in a folder of its own.
struct CachePlaces {
  /// The folder of all, as an absolute path.
  let path: String

  /// The place of a folder.
  func location(_ folder: String) -> LibraryLocation {
    let home = "\(path)/\(folder)"
    return LibraryLocation(home: home, configurationFile: home + "/config.json")
  }

  /// The place of a library.
  func location(of id: SharedLibraryID) -> LibraryLocation { location("\(id)") }

  /// The folder of a library.
  func folder(of id: SharedLibraryID) -> LibraryFolder {
    do {
      return try LibraryFolder(location(of: id).home)
    } catch {
      preconditionFailure("the folder of caches is an absolute path: \(error)")
    }
  }

  /// The cache of a library.
  func cache(of id: SharedLibraryID) -> LibraryCache { LibraryCache(folder(of: id)) }
}
