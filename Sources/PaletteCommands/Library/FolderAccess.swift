package import PaletteModel
package import PaletteStore

/// Opens the library in a folder for one call.
package final class FolderAccess: LibraryAccess {
  package let location: LibraryLocation
  /// The library that was opened for writing.
  private var written: ChangeStore?

  private let note: (String) -> Void
  private let progress: ProgressReport

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - location: Where the library is.
  ///   - note: Is told what a person should know beside the answer.
  ///   - progress: Is told how far long work is.
  package init(
    location: LibraryLocation,
    note: @escaping (String) -> Void = { _ in },
    progress: @escaping ProgressReport = { _ in }
  ) {
    self.location = location
    self.note = note
    self.progress = progress
  }

  package var sharing: (any Sharing)? { nil }
  package var linking: (any Linking)? { nil }
  package var ownName: String { OwnName(configurationFile: location.configurationFile).text }
  package var now: Moment { Moment(milliseconds: systemMilliseconds()) }

  package var listening: [String]? { nil }

  package func report(_ progress: Progress) throws(APIError) { try self.progress(progress) }

  package func reading() throws -> ChangeStore? {
    let folder = try LibraryFolder(location.home)
    do throws(StoreError) {
      return try ChangeStore.reading(folder)
    } catch  where error.code == .olderFormat {
      // Opening for writing migrates it; where that cannot be done, nobody can read it.
      return try ChangeStore(writing: folder)
    }
  }

  package func editing() throws -> ChangeStore? {
    let folder = try LibraryFolder(location.home)
    return try folder.exists ? creating() : nil
  }

  package func creating() throws -> ChangeStore {
    if let written { return written }
    let folder = try LibraryFolder(location.home)
    let closing = folder.noteOnClosing
    let store = try ChangeStore(writing: folder)
    if let closing { note(closing) }
    let name = ownName
    store.nameOfOwner = { name }
    written = store
    return store
  }

  /// Closes the library after an edit, so that a node may open it.
  ///
  /// - Parameter palette: The palette, as it was given; nil where that does not say which it is.
  /// - Returns: Whether a joined peer is to get the edit.
  package func close(afterEditing palette: String?) -> Bool {
    defer { written = nil }
    guard let written, let peers = try? written.peers.all() else { return false }
    let edited = palette.flatMap { try? written.visiblePalette($0).id }
    return peers.contains { $0.takes(edited) }
  }
}
