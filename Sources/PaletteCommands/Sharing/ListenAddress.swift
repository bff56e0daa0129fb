internal import PalettePlatform

/// The address at which a node listens, as `--listen` gives it: `host:port`, `[address]:port`,
/// `port` or `host`.
public struct ListenAddress: Equatable, Sendable {
  /// The usual port.
  public static let usualPort: UInt16 = 4833

  /// The name or address to bind, without brackets.
  public let host: String
  /// The port; 0 lets the system choose.
  public let port: UInt16

  /// The usual place: this machine alone.
  public static let usual = ListenAddress(host: "127.0.0.1", port: usualPort)

  /// Creates an address.
  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads an address.
  /// - Throws: `bad-usage` when the text is none.
  public init(_ text: String) throws(APIError) {
    let isPort = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    let written = isPort ? "127.0.0.1:\(text)" : Self.isIPv6(text[...]) ? "[\(text)]" : text
    guard let parts = HostAndPort(written[...]),
      let port = parts.port.map({ UInt16($0) }) ?? Self.usualPort
    else {
      throw APIError(
        code: "bad-usage",
        message: "'\(text)' is no address to listen on",
        hint: "write HOST:PORT, [IPV6]:PORT or PORT"
      )
    }
    self.init(host: String(parts.host), port: port)
  }

  /// True if only this machine can connect there.
  package var isLoopback: Bool { Self.isLoopback(host) }

  /// Returns whether a host is this machine, as its text says: nothing is looked up.
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

  /// Returns whether a host with colons in it is an address, with or without a zone.
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

  /// Hosts and ports under which other libraries may reach the node, the likeliest first.
  ///
  /// A node that listens everywhere has the addresses of all the machine's interfaces.
  package func joinAuthorities(port: UInt16) -> [String] {
    guard host == "0.0.0.0" || host == "::" else { return [authority(port: port)] }
    let addresses = Self.interfaceAddresses(includingIPv6: host == "::")
    return (addresses.isEmpty ? ["127.0.0.1"] : addresses).map {
      ListenAddress(host: $0, port: port).authority(port: port)
    }
  }

  /// The addresses of the machine's interfaces but loopback.
  package static func interfaceAddresses(includingIPv6: Bool) -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr,
        entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let family = CInt(address.pointee.sa_family)
      guard family == AF_INET || includingIPv6 && family == AF_INET6 else { continue }
      let size =
        family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let result = getnameinfo(
        address,
        socklen_t(size),
        &text,
        socklen_t(text.count),
        nil,
        0,
        NI_NUMERICHOST
      )
      guard result == 0 else { continue }
      let name = String(
        decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
        as: UTF8.self
      )
      // A link-local address means nothing without the interface on the other machine.
      if !name.contains("%") { addresses.append(name) }
    }
    return addresses
  }
}

/// The address of a peer: `http://HOST:PORT`, or `https://`, with the path of its library where it is one of many.
package struct PeerURL: Equatable {
  package let isEncrypted: Bool
  package let host: String
  package let port: UInt16
  /// The path beneath which the library is served: `/l/brand`; empty where it has the whole address.
  package let base: String

  /// True if whatever is sent there can be read on its way: over plain `http://`, beyond this
  /// machine.
  ///
  /// Nothing is looked up, so of names only `localhost` is this machine's.
  package var isPlainBeyondLoopback: Bool { !isEncrypted && !ListenAddress.isLoopback(host) }

  package init?(_ text: String) {
    let rest: Substring
    if text.hasPrefix("https://") {
      isEncrypted = true
      rest = text.dropFirst(8)
    } else if text.hasPrefix("http://") {
      isEncrypted = false
      rest = text.dropFirst(7)
    } else {
      return nil
    }
    let authority = rest.prefix { $0 != "/" }
    guard let parts = HostAndPort(authority),
      let port = parts.port.map({ UInt16($0) }) ?? (isEncrypted ? 443 : 80)
    else { return nil }
    host = String(parts.host)
    self.port = port
    // Nothing else of the path is used: an address may come from a stranger.
    base = LibraryPath(String(rest[authority.endIndex...])).name.map(LibraryPath.base) ?? ""
  }
}

/// The two parts of `host`, `host:port`, `[address]` or `[address]:port`.
private struct HostAndPort {
  /// Without brackets, in which only an IPv6 address may stand, and not empty.
  let host: Substring
  let port: Substring?

  init?(_ text: Substring) {
    let rest: Substring
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[..<end].dropFirst()
      guard ListenAddress.isIPv6(host) else { return nil }
      rest = text[end...].dropFirst()
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
    }
    guard !host.isEmpty, rest.isEmpty || rest.first == ":" else { return nil }
    port = rest.isEmpty ? nil : rest.dropFirst()
  }
}
