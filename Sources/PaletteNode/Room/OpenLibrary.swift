internal import PaletteCommands
internal import PaletteMerge
internal import PaletteStore

/// The library that a node holds open; every verb is lent the same store.
final class OpenLibrary: LibraryAccess {
  let location: LibraryLocation
  let store: ChangeStore
  let urls: [String]
  weak var sharing: (any Sharing)?
  weak var linking: (any Linking)?
  /// Tells whoever waits for the present call how far it is; nil where nobody asked to be told.
  var progress: CallProgress?
  /// The name of the owner, for the store too, which may outlive this.
  let name: OwnName

  init(location: LibraryLocation, store: ChangeStore, urls: [String]) {
    self.location = location
    self.store = store
    self.urls = urls
    name = OwnName(configurationFile: location.configurationFile)
  }

  var ownName: String { name.text }
  var now: Moment { Moment(milliseconds: store.nowMilliseconds) }
  var listening: [String]? { urls }

  func report(_ progress: Progress) { self.progress?.update(progress) }

  func reading() throws -> ChangeStore? { store }
  func editing() throws -> ChangeStore? { store }
  func creating() throws -> ChangeStore { store }
}
