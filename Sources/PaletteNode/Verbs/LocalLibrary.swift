internal import PaletteFormats

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
  public func call(_ request: Request) throws(APIError) -> [UInt8] {
    let parameters = Parameters(request.parameters)
    switch request.method {
    case "color": return try ColorVerbs.color(parameters)
    case "convert": return try ColorVerbs.convert(parameters)
    case "contrast": return try ColorVerbs.contrast(parameters)
    case "name": return try ColorVerbs.name(parameters)
    case "formats": return FormatRegistry.standard.document
    case "config":
      return try ConfigurationVerb.answer(parameters, file: location.configurationFile)
    default:
      guard let verb = LibraryVerb(rawValue: request.method) else {
        throw APIError(code: "bad-usage", message: "there is no method '\(request.method)'")
      }
      let library = FolderAccess(location: location)
      do {
        return try verb.answer(LibraryCall(parameters: parameters, library: library))
      } catch {
        throw APIError(any: error)
      }
    }
  }
}
