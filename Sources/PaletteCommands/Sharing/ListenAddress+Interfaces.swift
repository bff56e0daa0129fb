internal import PalettePlatform

extension ListenAddress {
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
