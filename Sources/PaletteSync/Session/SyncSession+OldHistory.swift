public import PaletteModel

/// Rows of one author that a peer has, from a number on.
public struct OldHistory: Hashable, Sendable {
  /// The palette.
  public let palette: PaletteID
  /// The author.
  public let node: NodeID
  /// Up to which number these are all that the peer has.
  public let last: UInt32
  /// Before which time the peer knows no past of the palette; nil when it knows all of it.
  public let sinceMilliseconds: UInt64?
  /// The changes, by ascending numbers.
  public let changes: [[UInt8]]

  /// Describes rows.
  public init(
    palette: PaletteID,
    node: NodeID,
    last: UInt32,
    sinceMilliseconds: UInt64?,
    changes: [[UInt8]]
  ) {
    self.palette = palette
    self.node = node
    self.last = last
    self.sinceMilliseconds = sinceMilliseconds
    self.changes = changes
  }
}

extension SyncSession {
  /// Asks the peer for old rows; the answer is `oldHistory`.
  func ask(
    _ palette: PaletteID,
    _ node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    _ actions: inout [SyncAction]
  ) {
    guard trust.scope.covers(palette) else { return }
    let frame = Frame.historyOf(
      palette,
      node,
      first: numbers.lowerBound,
      last: numbers.upperBound
    )
    actions.append(.send(frame.encoded))
  }

  /// Answers with what is here, as much as fits into one frame.
  func answer<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ node: NodeID,
    _ first: UInt32,
    _ last: UInt32,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard trust.scope.covers(palette), first <= last else { return }
    let history = try library.oldHistory(
      of: palette,
      by: node,
      first...last,
      byteLimit: SyncProtocol.payloadBytes
    )
    actions.append(.send(Frame.history(history).encoded))
  }
}
