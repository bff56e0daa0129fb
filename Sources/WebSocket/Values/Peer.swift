/// Who is at the other end of a connection, as far as the operating system knows.
package struct Peer: Equatable, Sendable {
  /// The numeric address, empty on a Unix socket.
  package let address: String
  /// The port, 0 on a Unix socket.
  package let port: UInt16
  /// The user id of the process at the other end of a Unix socket.
  package let userID: UInt32?
  /// Whether the connection is encrypted.
  package let isEncrypted: Bool

  /// Creates a description of a peer.
  package init(address: String, port: UInt16, userID: UInt32?, isEncrypted: Bool) {
    self.address = address
    self.port = port
    self.userID = userID
    self.isEncrypted = isEncrypted
  }
}
