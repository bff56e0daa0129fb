internal import PaletteFormats
package import PaletteStore

extension LibraryAccess {
  /// Answers one request with the bytes of one JSON document.
  package func answer(_ request: Request) throws(APIError) -> [UInt8] {
    try reply(to: request).bytes
  }

  /// Answers one request; where it is an edit, it is the author's.
  package func reply(
    to request: Request,
    by author: AuthorID = .library
  ) throws(APIError) -> Reply {
    let parameters = Parameters(request.parameters)
    switch request.method {
    case "color": return .document(try ColorVerbs.color(parameters))
    case "convert": return .document(try ColorVerbs.convert(parameters))
    case "contrast": return .document(try ColorVerbs.contrast(parameters))
    case "name": return .document(try ColorVerbs.name(parameters))
    case "formats": return .document(FormatRegistry.standard.document)
    case "config":
      let file = location.configurationFile
      return .document(try ConfigurationVerb.answer(parameters, file: file))
    default:
      guard let verb = LibraryVerb(rawValue: request.method) else {
        throw APIError(code: "bad-usage", message: "there is no method '\(request.method)'")
      }
      do {
        let call = LibraryCall(parameters: parameters, library: self, author: author)
        return try call.reply(to: verb)
      } catch {
        throw APIError(any: error)
      }
    }
  }
}
