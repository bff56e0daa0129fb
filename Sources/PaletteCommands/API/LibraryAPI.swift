/// Answers the commands of one library, in this process or through a running node.
public protocol LibraryAPI {
  /// Answers one request.
  ///
  /// - Throws: an error whose code tells programs what went wrong.
  func call(_ request: Request) throws(APIError) -> any Answer
}
