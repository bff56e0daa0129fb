/// How a client decides that a server is the right one.
package enum ServerTrust: Hashable, Sendable {
  /// No encryption at all.
  case plain
  /// The authorities of the operating system, and the server's name.
  case system
  /// The authorities in a PEM file, no others, and the server's name.
  case authority(file: String)
  /// The server's key alone: authority, name and dates do not matter.
  case pin(KeyPin)

  /// Whether the connection is encrypted.
  var isEncrypted: Bool { self != .plain }
}
