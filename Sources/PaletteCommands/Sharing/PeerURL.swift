/// The address of a peer: `http://HOST:PORT`, or `https://`.
package struct PeerURL: Equatable {
  package let isEncrypted: Bool
  package let host: String
  package let port: UInt16

  /// Whether whatever is sent there can be read on its way: over plain `http://`, beyond this machine.
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
    let usualPort: UInt16 = isEncrypted ? 443 : 80
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = String(authority[authority.index(after: authority.startIndex)..<end])
      let tail = authority[authority.index(after: end)...]
      guard ListenAddress.isIPv6(host[...]), tail.isEmpty || tail.hasPrefix(":"),
        let number = tail.isEmpty ? usualPort : UInt16(tail.dropFirst())
      else { return nil }
      port = number
    } else {
      let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
      guard let first = parts.first, !first.isEmpty, parts.count <= 2,
        let number = parts.count == 2 ? UInt16(parts[1]) : usualPort
      else { return nil }
      host = String(first)
      port = number
    }
  }
}
