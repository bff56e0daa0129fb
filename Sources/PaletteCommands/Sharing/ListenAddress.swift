internal import PalettePlatform

/// Where a node listens, as `--listen` says it: `host:port`, `[address]:port`, `port` or `host`.
public struct ListenAddress: Equatable, Sendable {
  /// The usual port.
  public static let usualPort: UInt16 = 4833

  /// The name or address to bind, without brackets.
  public let host: String
  /// The port; 0 lets the system choose.
  public let port: UInt16

  /// The usual place: this machine alone.
  public static let usual = ListenAddress(host: "127.0.0.1", port: usualPort)

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads an address.
  /// - Throws: `bad-usage` when the text is none.
  public init(_ text: String) throws(APIError) {
    let isPort = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    var host = Substring(text)
    var digits: Substring?
    if isPort {
      host = "127.0.0.1"
      digits = Substring(text)
    } else if text.first == "[", let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      digits = rest.first == ":" ? rest.dropFirst() : rest.isEmpty ? nil : "none"
    } else if let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon {
      host = text[..<colon]
      digits = text[text.index(after: colon)...]
    }
    guard !host.isEmpty, !host.contains(":") || Self.isIPv6(host),
      let port = digits.map({ UInt16($0) }) ?? Self.usualPort
    else {
      throw APIError(
        code: "bad-usage",
        message: "'\(text)' is no address to listen on",
        hint: "write HOST:PORT, [IPV6]:PORT or PORT"
      )
    }
    self.init(host: String(host), port: port)
  }

  /// Whether only this machine can connect there.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// Whether a host is this machine, as its text says: nothing is looked up.
  static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" { return true }
    var address = in_addr()
    if inet_pton(AF_INET, host, &address) == 1 { return address.s_addr & 0xFF == 127 }
    var address6 = in6_addr()
    guard inet_pton(AF_INET6, host, &address6) == 1 else { return false }
    return withUnsafeBytes(of: &address6) { bytes in
      bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
  }

  /// Whether a host with colons in it is an address, with or without a zone.
  static func isIPv6(_ host: Substring) -> Bool {
    var address = in6_addr()
    return !host.utf8.contains(0)
      && inet_pton(AF_INET6, String(host.prefix { $0 != "%" }), &address) == 1
  }

  /// Host and port as a URL writes them.
  package func authority(port: UInt16) -> String { Self.authority(host, port) }

  /// The same, with an address to connect to where the host means every address.
  package func reachableAuthority(port: UInt16) -> String {
    switch host {
    case "0.0.0.0": Self.authority("127.0.0.1", port)
    case "::": Self.authority("::1", port)
    default: Self.authority(host, port)
    }
  }

  private static func authority(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
