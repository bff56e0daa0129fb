internal import PaletteFormats

extension LibraryAccess {
  /// Answers one request with the bytes of one JSON document.
  func answer(_ request: Request) throws(APIError) -> [UInt8] {
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
      do {
        return try verb.answer(LibraryCall(parameters: parameters, library: self))
      } catch {
        throw APIError(any: error)
      }
    }
  }
}
