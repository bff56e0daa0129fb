/// Decides from `Host` and `Origin` whether a request is meant for this server.
///
/// `Host` defeats DNS rebinding: an attacker's page can make a browser connect here only under the
/// attacker's own name, and a literal address is no name. `Origin` defeats cross-site requests:
/// a page may talk only to the host and port that it came from.
package struct OriginPolicy: Equatable, Sendable {
  /// What the policy says about a request.
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
