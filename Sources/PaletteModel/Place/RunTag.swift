/// Three random bytes, none of them zero, that mark the places of one node's runs.
///
/// A run is a sequence of colors added together. Because all its places carry the tag of the node
/// that made them, runs that two people add at one spot do not mix.
package struct RunTag: Hashable, Sendable {
  /// The three bytes, each 1 to 255.
  package let bytes: [UInt8]

  /// Creates a tag from exactly three bytes, none of them zero.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 3, !bytes.contains(0) else { return nil }
    self.bytes = Array(bytes)
  }

  /// Creates a random tag.
  package init(using random: inout some RandomNumberGenerator) {
    var bytes: [UInt8] = []
    for _ in 0..<3 { bytes.append(.random(in: 1...255, using: &random)) }
    self.bytes = bytes
  }
}
