internal import PaletteModel
internal import PaletteStore

/// Opens the library in a folder for each call.
struct FolderAccess: LibraryAccess {
  let location: LibraryLocation

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
    return folder.exists ? try ChangeStore(writing: folder) : nil
  }

  func creating() throws -> ChangeStore {
    try ChangeStore(writing: try LibraryFolder(location.home))
  }
}
