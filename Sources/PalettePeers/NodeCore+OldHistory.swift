internal import PaletteMerge
package import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension NodeCore {
  /// Asks a peer for the rows that are missing in a palette's past, within a flush, which sends the question.
  ///
  /// - Returns: Whether a peer was asked; then `settledHistory` tells when it is over.
  package func fetchHistory(of palette: PaletteID) throws -> Bool {
    if history[palette] != nil { return true }
    let floors = try store.floors(of: palette)
    guard !floors.isEmpty, let connection = historySource(of: palette) else { return false }
    history.begin(
      HistoryFetch(from: connection, upTo: floors, at: store.nowMilliseconds),
      of: palette
    )
    try askForHistory(of: palette)
    return true
  }

  /// The peer to ask: one that this library joined, as for snapshots.
  private func historySource(of palette: PaletteID) -> PeerConnectionID? {
    let able = connections.all.filter { _, connection in
      connection.peer != nil && connection.session.isEstablished
        && connection.trust.letsInState(of: palette)
    }
    return (able.first { $0.connection.url != nil } ?? able.first)?.id
  }

  private func askForHistory(of palette: PaletteID) throws {
    guard let fetch = history[palette] else { return }
    if let (node, numbers) = fetch.question {
      return try pass(.historyWanted(palette, node, numbers), to: fetch.connection)
    }
    history.end(palette)
    if let refusal = try store.mergeOldHistory(fetch.parts, into: palette) {
      emit(.log(isProblem: true, "old history of \(palette) was refused: \(refusal)"))
    }
  }

  /// Adds an answer, and asks on.
  func receive(_ answer: OldHistory, from connection: PeerConnectionID) throws {
    guard history.add(answer, from: connection, at: store.nowMilliseconds) else { return }
    try askForHistory(of: answer.palette)
  }

  /// The palettes whose old rows have come, or will not come.
  package var settledHistory: Set<PaletteID> { history.settled }

  /// Removes them, for whoever asked.
  package func removeSettledHistory() -> Set<PaletteID> { history.removeSettled() }
}
