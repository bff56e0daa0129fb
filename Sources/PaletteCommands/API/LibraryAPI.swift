/// Answers the commands of one library, in this process or through a running node.
public protocol LibraryAPI {
  /// Answers one request with the bytes of one JSON document.
  ///
  /// Bytes instead of a value, so that a palette of any size is printed without building a tree.
  /// - Throws: an error whose code tells programs what went wrong.
  func call(_ request: Request) throws(APIError) -> [UInt8]
}
