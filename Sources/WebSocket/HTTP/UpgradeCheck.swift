/// The rules of an upgrade that do not depend on who asks.
struct UpgradeCheck {
  /// The verdict of the rules on a request.
  enum Verdict: Equatable {
    case accept(Route, subprotocol: String?)
    case reject(status: Int, headers: [HTTPField] = [])
  }

  let routes: [Route]
  /// Returns whether a text may stand before the path of a route.
  var isBase: @Sendable (Substring) -> Bool = { $0.isEmpty }

  func verdict(on head: UpgradeHead) -> Verdict {
    // `h2c` above all: libwebsockets would answer it with 101 before anyone could object.
    guard head.upgrade?.lowercased() == "websocket" else { return .reject(status: 400) }
    guard head.isGet, head.isHTTP11, !head.hasBody else { return .reject(status: 400) }
    guard head.version == "13" else {
      return .reject(status: 426, headers: [HTTPField("sec-websocket-version", "13")])
    }
    guard let key = head.key, Self.isKey(key) else { return .reject(status: 400) }
    guard let route = routes.first(where: { isPath(head.path, of: $0) }) else {
      return .reject(status: 404)
    }
    guard let offers = Self.offers(head.subprotocols) else { return .reject(status: 400) }
    if offers.isEmpty {
      return route.allowsNoSubprotocol ? .accept(route, subprotocol: nil) : .reject(status: 400)
    }
    // libwebsockets agrees to the first offer that any route knows, so that one must be ours.
    let known = offers.first { offer in routes.contains { $0.subprotocols.contains(offer) } }
    guard let known, route.subprotocols.contains(known) else { return .reject(status: 400) }
    return .accept(route, subprotocol: known)
  }

  private func isPath(_ path: String, of route: Route) -> Bool {
    path.hasSuffix(route.path) && isBase(path.dropLast(route.path.count))
  }

  /// Returns whether the text is sixteen bytes in base64.
  private static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22...] == [UInt8(ascii: "="), UInt8(ascii: "=")] else {
      return false
    }
    return bytes[..<22].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }

  /// The offered subprotocols in order, or nil when the header is malformed or longer than
  /// libwebsockets reads.
  private static func offers(_ header: String?) -> [String]? {
    guard let header, !header.isEmpty else { return [] }
    guard header.utf8.count < 127 else { return nil }
    var offers: [String] = []
    for part in header.split(separator: ",", omittingEmptySubsequences: false) {
      let token = part.trimmingBlanks()
      guard !token.isEmpty, token.utf8.count < 64, token.utf8.allSatisfy(\.isTokenByte) else {
        return nil
      }
      offers.append(token)
    }
    return offers
  }
}

extension UInt8 {
  /// True if libwebsockets and RFC 7230 agree that the byte belongs to a token.
  fileprivate var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Substring {
  /// The text without blanks at its ends.
  func trimmingBlanks() -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let start = firstIndex(where: { !isBlank($0) }),
      let end = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[start...end])
  }
}

/// A request to turn an HTTP connection into a WebSocket, after the library's own checks.
package struct UpgradeRequest: Sendable {
  /// The name that the connection will have.
  package let id: ConnectionID
  /// The route that was asked for.
  package let route: Route
  /// The text before the path of the route in the path that was asked for.
  package let base: String
  /// The subprotocol that will be agreed on.
  package let subprotocol: String?
  /// The headers of interest.
  package let headers: RequestHeaders
  /// The client.
  package let peer: Peer
  /// The listener that accepted the connection.
  package let listener: ListenerID
}

/// The answer to a request for a WebSocket.
package enum UpgradeDecision: Equatable, Sendable {
  /// Go on.
  case accept
  /// Answer with an HTTP status, and these headers, instead.
  case reject(status: Int, headers: [HTTPField] = [])
}

/// Decides from `Host` and `Origin` whether a request is meant for this server.
///
/// `Host` defeats DNS rebinding: an attacker's page can make a browser connect here only under the
/// attacker's own name, and a literal address is no name. `Origin` defeats cross-site requests:
/// a page may talk only to the host and port that it came from.
package struct OriginPolicy: Equatable, Sendable {
  /// The verdict of the policy on a request.
  package enum Verdict: Equatable, Sendable {
    /// The request is meant for this server.
    case allowed
    /// `Host` is missing, malformed or names another server.
    case foreignHost
    /// `Origin` is malformed or belongs to another site.
    case foreignOrigin
  }

  private let names: Set<String>
  private let origins: Set<Origin>

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - names: The names, besides `localhost`, that this server answers to; any port is meant.
  ///   - origins: Further web origins that may talk to it, such as `https://example.com`.
  package init(names: [String] = [], origins: [String] = []) {
    self.names = Set(names.compactMap { Authority($0)?.host } + ["localhost"])
    self.origins = Set(origins.compactMap(Origin.init))
  }

  /// Judges the two headers of a request.
  package func verdict(host: String?, origin: String?) -> Verdict {
    guard let host = host.flatMap({ Authority($0) }) else { return .foreignHost }
    guard host.isLiteral || names.contains(host.host) else { return .foreignHost }
    guard let origin else { return .allowed }
    guard let origin = Origin(origin) else { return .foreignOrigin }
    let isSame = origin.host == host.host && origin.port == (host.port ?? origin.usualPort)
    return isSame || origins.contains(origin) ? .allowed : .foreignOrigin
  }
}

/// A web origin: scheme, host and port.
private struct Origin: Hashable {
  let isSecure: Bool
  let host: String
  let port: UInt16

  /// The port that both headers leave out.
  var usualPort: UInt16 { isSecure ? 443 : 80 }

  init?(_ text: String) {
    let lower = text.lowercased()
    let schemes = [("https://", true), ("http://", false)]
    guard let scheme = schemes.first(where: { lower.hasPrefix($0.0) }),
      let authority = Authority(lower.dropFirst(scheme.0.count))
    else { return nil }
    isSecure = scheme.1
    host = authority.host
    port = authority.port ?? (scheme.1 ? 443 : 80)
  }
}
