internal import PalettePeers
internal import PaletteStore

/// The last contact of the joined peers, and the time since when each is in its state.
struct PeerTimes {
  private var contacts: [String: Int64] = [:]
  private var standings: [String: (standing: PeerConnectionState, since: Int64)] = [:]

  /// The last contact of a peer, in milliseconds since 1970; nil if there was none since the start.
  func lastContact(of url: String) -> Int64? { contacts[url] }

  /// Since when a peer is live, refuses this library or cannot be reached.
  func since(of url: String) -> Int64? { standings[url]?.since }

  /// Records that something came from a peer.
  mutating func heard(_ url: String, at milliseconds: Int64) { contacts[url] = milliseconds }

  /// Records where the peers stand now; trying again to reach one is still not to reach it.
  mutating func update(_ dialers: [String: PeerDialer], at milliseconds: Int64) {
    for (url, dialer) in dialers {
      let standing = dialer.state == .connecting ? .offline : dialer.state
      if standings[url]?.standing != standing { standings[url] = (standing, milliseconds) }
    }
    for url in standings.keys where dialers[url] == nil { standings[url] = nil }
  }
}
