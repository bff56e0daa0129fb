internal import PaletteCommands
internal import PalettePeers
internal import WebSocket

/// The certificate that a node makes for itself, for every name and address that it is served on.
struct OwnCertificate: Sendable {
  let folder: String
  let listen: ListenAddress
  let publicURL: String?

  /// Makes it, or makes it again where the names have changed or its end is near.
  func keep() throws -> (identity: TLSIdentity, isNew: Bool) {
    try TLSIdentity.keepSelfSigned(in: folder, names: names)
  }

  private var names: [String] {
    let host = publicURL.flatMap { PeerURL($0) }?.host
    let isEverywhere = listen.host == "0.0.0.0" || listen.host == "::"
    let addresses =
      isEverywhere
      ? ListenAddress.interfaceAddresses(includingIPv6: listen.host == "::") : [listen.host]
    return addresses + (host.map { [$0] } ?? [])
  }
}
