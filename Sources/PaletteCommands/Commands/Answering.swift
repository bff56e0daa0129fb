internal import PaletteFormats
package import PaletteStore

extension LibraryAccess {
  /// Answers one request; where it is an edit, it is the author's.
  package func answer(
    _ request: Request,
    by author: AuthorID = .library,
    prepared: PreparedCall? = nil
  ) throws(APIError) -> any Answer {
    guard let command = CommandTable.command(named: request.method) else {
      throw APIError(code: "bad-usage", message: "there is no method '\(request.method)'")
    }
    let parameters = Parameters(request.parameters)
    do {
      let call = LibraryCall(
        parameters: parameters,
        library: self,
        author: author,
        prepared: prepared
      )
      return try command.answer(call)
    } catch {
      throw APIError(any: error)
    }
  }
}

/// Facts about colors and the settings are answered without touching the library.
extension FolderAccess: LibraryAPI {
  package func call(_ request: Request) throws(APIError) -> any Answer { try answer(request) }
}
