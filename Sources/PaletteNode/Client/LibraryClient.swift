/// The library at a location: through the node that has it open, or in this process.
///
/// Edits through a node reach everyone who watches and syncs at once.
public struct LibraryClient: LibraryAPI {
  private let location: LibraryLocation

  /// Creates the API of the library at a location; nothing is opened or made yet.
  public init(at location: LibraryLocation) {
    self.location = location
  }

  /// Answers one request.
  public func call(_ request: Request) throws(APIError) -> [UInt8] {
    let local = LocalLibrary(at: location)
    guard Self.isAboutLibrary(request) else { return try local.call(request) }
    if let node = try NodeConnection(home: location.home) { return try ask(node, request) }
    do {
      return try local.call(request)
    } catch {
      // A node that was just starting holds the lock before it listens.
      guard error.code == "locked", let node = try NodeConnection(home: location.home) else {
        throw error
      }
      return try ask(node, request)
    }
  }

  private func ask(_ node: NodeConnection, _ request: Request) throws(APIError) -> [UInt8] {
    guard request.method != "recover" else {
      throw APIError(
        code: "locked",
        message: "a node has the library open: \(location.home)",
        hint: "end it, then recover"
      )
    }
    return try node.call(request)
  }

  /// Whether the answer depends on the library; facts about colors and the settings do not.
  private static func isAboutLibrary(_ request: Request) -> Bool {
    switch request.method {
    case "color", "convert", "contrast", "name", "formats", "config": false
    default: true
    }
  }
}
