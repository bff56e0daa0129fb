/// The library in a folder, opened by this process.
///
/// Facts about colors and the settings are answered without touching the library.
public struct LocalLibrary: LibraryAPI {
  private let location: LibraryLocation

  /// Creates the API of the library at a location; nothing is opened or made yet.
  public init(at location: LibraryLocation) {
    self.location = location
  }

  /// Answers one request.
  public func call(_ request: Request) throws(APIError) -> any Answer {
    try FolderAccess(location: location).answer(request)
  }
}
