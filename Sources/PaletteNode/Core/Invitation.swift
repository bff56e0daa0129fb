package import PaletteModel
internal import PaletteStore

/// What a join code says: where a hub is, how to know it, and what it will grant.
package struct Invitation: Equatable {
  /// URLs at which the hub may be reached, to be tried in turn.
  package var addresses: [String]
  /// The hash of the hub's TLS key; empty where a certificate authority vouches for it.
  package var pin: [UInt8]
  /// The secret of the code.
  package var code: [UInt8]
  /// What is agreed by joining.
  package var grant: Grant
  /// The hub's library.
  package var library: RecordID?

  package init(
    addresses: [String],
    pin: [UInt8] = [],
    code: [UInt8],
    grant: Grant,
    library: RecordID? = nil
  ) {
    self.addresses = addresses
    self.pin = pin
    self.code = code
    self.grant = grant
    self.library = library
  }

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
