/// A response on its way out.
struct HTTPExchange {
  let response: HTTPResponse
  let keepsAlive: Bool
  let includesBody: Bool
  private(set) var bodyOffset = 0
  private(set) var hasBegun = false

  init(_ response: HTTPResponse, keepsAlive: Bool, includesBody: Bool) {
    self.response = response
    self.keepsAlive = keepsAlive
    self.includesBody = includesBody && response.status != 204 && response.status != 304
  }

  var isFinished: Bool {
    hasBegun && (!includesBody || bodyOffset == response.body.count)
  }

  /// The next bytes to write: the head with the start of the body, then pieces of it.
  mutating func next(upTo limit: Int) -> [UInt8] {
    var piece = hasBegun ? [] : response.head(keepsAlive: keepsAlive)
    hasBegun = true
    if includesBody {
      let count = min(max(limit - piece.count, 0), response.body.count - bodyOffset)
      piece += response.body[bodyOffset..<bodyOffset + count]
      bodyOffset += count
    }
    return piece
  }
}
