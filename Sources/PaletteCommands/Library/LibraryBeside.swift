package import PaletteMerge
package import PaletteStore

/// A library that a node has open, as it is read beside the node's loop.
package struct LibraryBeside: LibraryAccess, Sendable {
  package let location: LibraryLocation
  package let ownName: String
  package let now: Moment
  package let listening: [String]?
  /// Receives the progress of the work.
  private let onProgress: @Sendable (Progress) -> Void

  /// The same library as another access has.
  package init(
    _ library: some LibraryAccess,
    onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    location = library.location
    ownName = library.ownName
    now = library.now
    listening = library.listening
    self.onProgress = onProgress
  }

  package var sharing: (any Sharing)? { nil }
  package var linking: (any Linking)? { nil }

  package func report(_ progress: Progress) { onProgress(progress) }

  package func reading() throws -> ChangeStore? {
    let store = try ChangeStore.reading(try LibraryFolder(location.home))
    store?.nameOfOwner = { ownName }
    return store
  }

  // What only reads never asks for these.
  package func editing() throws -> ChangeStore? { throw APIError.onlyRead }
  package func creating() throws -> ChangeStore { throw APIError.onlyRead }
}

extension APIError {
  fileprivate static let onlyRead = APIError(
    code: "failed",
    message: "the library is only read here"
  )
}
