public import PaletteModel

/// What a peer said that it durably holds of a palette.
public struct PeerStatement: Hashable, Sendable {
  /// The peer.
  public let url: String
  /// The palette.
  public let palette: PaletteID
  /// How far it holds changes of this library's own.
  public private(set) var held: Frontier
  /// Whether authors that are not mentioned are not held at all.
  public private(set) var isWhole: Bool

  /// Creates a statement.
  public init(url: String, palette: PaletteID, held: Frontier, isWhole: Bool) {
    self.url = url
    self.palette = palette
    self.held = held
    self.isWhole = isWhole
  }

  /// Takes in what the peer said later; the newest counts, never the highest.
  public mutating func update(with newer: PeerStatement) {
    if newer.isWhole {
      self = newer
    } else {
      held.merge(newer.held) { _, new in new }
    }
  }
}
