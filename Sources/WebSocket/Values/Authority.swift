import PalettePlatform

/// A host with an optional port, as a `Host` header or an origin carries it.
struct Authority: Equatable {
  /// The host: a lower-case name, or the bare form of an IP address.
  let host: String
  /// True if the host is a literal IP address.
  let isLiteral: Bool
  /// The port, when one was written.
  let port: UInt16?

  /// Parses `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`; anything else is nil.
  init?(_ text: some StringProtocol) {
    let hostText: Substring
    var rest: Substring
    let text = Substring(text)
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      hostText = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
    } else {
      let colon = text.firstIndex(of: ":") ?? text.endIndex
      hostText = text[..<colon]
      rest = text[colon...]
    }
    if rest.isEmpty {
      port = nil
    } else {
      guard rest.removeFirst() == ":", (1...5).contains(rest.utf8.count),
        rest.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = UInt16(rest), number > 0
      else { return nil }
      port = number
    }
    if let literal = Self.literal(String(hostText), isBracketed: text.first == "[") {
      host = literal
      isLiteral = true
    } else {
      guard text.first != "[", let name = Self.name(hostText) else { return nil }
      host = name
      isLiteral = false
    }
  }

  /// The canonical form of a literal address: IPv6 in brackets only, IPv4 without.
  private static func literal(_ text: String, isBracketed: Bool) -> String? {
    let family = isBracketed ? AF_INET6 : AF_INET
    var address = in6_addr()
    guard inet_pton(family, text, &address) == 1 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) {
      buffer in
      guard let base = buffer.baseAddress,
        inet_ntop(family, &address, base, socklen_t(INET6_ADDRSTRLEN)) != nil
      else { return nil }
      return String(cString: base)
    }
  }

  /// A host name in lower case, without the dot that may end it.
  private static func name(_ text: Substring) -> String? {
    var name = text.lowercased()
    if name.last == "." { name.removeLast() }
    // A second dot at the end would be one more label without letters.
    let hasLabels = !name.hasPrefix(".") && !name.hasSuffix(".") && !name.contains("..")
    let isValid =
      hasLabels
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    // All digits and dots, but no address: `127.1` and `2130706433` are addresses to some resolvers.
    let isNumeric = name.utf8.allSatisfy {
      $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    return isValid && !isNumeric && (1...253).contains(name.utf8.count) ? name : nil
  }
}

/// The other end of a connection, as far as the operating system knows it.
package struct Peer: Equatable, Sendable {
  /// The numeric address, empty on a Unix socket.
  package let address: String
  /// The port, 0 on a Unix socket.
  package let port: UInt16
  /// The user id of the process at the other end of a Unix socket.
  package let userID: UInt32?
  /// True if the connection is encrypted.
  package let isEncrypted: Bool

  /// True if the peer came over the network of this machine alone.
  package var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

  /// Creates a description of a peer.
  package init(address: String, port: UInt16, userID: UInt32?, isEncrypted: Bool) {
    self.address = address
    self.port = port
    self.userID = userID
    self.isEncrypted = isEncrypted
  }
}
