internal import PaletteMerge
internal import PaletteStore

extension JoinTicket {
  /// Returns whether this is from a hub that was joined already.
  ///
  /// Anybody can put a library's id into a code. So the key must match, or an address where there is no
  /// key; otherwise the secret would be shown to somebody else.
  func isFrom(_ peer: StoredPeer) -> Bool {
    guard pin == peer.pin else { return false }
    let sharesAddress = addresses.contains { $0 == peer.url || peer.addresses.contains($0) }
    if sharesAddress { return library == nil || peer.library == nil || library == peer.library }
    return !pin.isEmpty && library != nil && library == peer.library
  }
}
