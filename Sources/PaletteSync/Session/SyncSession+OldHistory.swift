internal import PaletteModel

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
