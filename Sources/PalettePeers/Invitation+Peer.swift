internal import PaletteModel
internal import PaletteStore

extension Invitation {
  /// Whether this is from a hub that was joined already.
  ///
  /// Anybody can write the name of a library into a code; so the key, or where there is none an
  /// address, has to be the same, or a secret would be shown to somebody else.
  func isFrom(_ peer: StoredPeer) -> Bool {
    guard pin == peer.pin else { return false }
    let sharesAddress = addresses.contains { $0 == peer.url || peer.addresses.contains($0) }
    if sharesAddress { return library == nil || peer.library == nil || library == peer.library }
    return !pin.isEmpty && library != nil && library == peer.library
  }
}
