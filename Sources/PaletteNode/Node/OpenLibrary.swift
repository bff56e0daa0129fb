internal import PaletteModel
internal import PaletteStore

/// The library that a node holds open; every verb is lent the same store.
struct OpenLibrary: LibraryAccess {
  let location: LibraryLocation
  let store: ChangeStore
  let urls: [String]

  var now: Moment { Moment(milliseconds: store.nowMilliseconds) }
  var listening: [String]? { urls }

  func reading() throws -> ChangeStore? { store }
  func editing() throws -> ChangeStore? { store }
  func creating() throws -> ChangeStore { store }
}
