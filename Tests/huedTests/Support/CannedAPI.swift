import PaletteCommands

/// Answers every request with the same document, or with an error.
final class CannedAPI: LibraryAPI {
  var requests: [Request] = []
  var location: LibraryLocation?
  private let answer: String
  private let error: APIError?

  init(_ answer: String, error: APIError? = nil) {
    self.answer = answer
    self.error = error
  }

  func call(_ request: Request) throws(APIError) -> any Answer {
    requests.append(request)
    if let error { throw error }
    return ReceivedAnswer(Array(answer.utf8))
  }
}
