package import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension NodeCore {
  /// Asks a peer for the rows that are missing in a palette's past.
  ///
  /// - Returns: Whether a peer was asked; then `settledHistory` tells when it is over.
  package func fetchHistory(of palette: PaletteID) throws -> Bool {
    if historyFetches[palette] != nil { return true }
    let floors = try store.floors(of: palette)
    guard !floors.isEmpty, let link = historySource(of: palette) else { return false }
    historyFetches[palette] = HistoryFetch(from: link, upTo: floors, at: store.nowMilliseconds)
    try askForHistory(of: palette)
    return true
  }

  /// The peer to ask: one that this library joined, as for snapshots.
  private func historySource(of palette: PaletteID) -> LinkID? {
    links.filter { _, link in
      link.peer != nil && link.session.isEstablished && link.trust.letsInState(of: palette)
    }.min { left, right in
      (left.value.url == nil ? 1 : 0, left.key.rawValue)
        < (right.value.url == nil ? 1 : 0, right.key.rawValue)
    }?.key
  }

  private func askForHistory(of palette: PaletteID) throws {
    guard let fetch = historyFetches[palette] else { return }
    if let (node, numbers) = fetch.question {
      return try pass(.historyWanted(palette, node, numbers), to: fetch.link)
    }
    endHistory(of: palette)
    if let refusal = try store.mergeOldHistory(fetch.parts, into: palette) {
      effects.append(.log(isProblem: true, "old history of \(palette) was refused: \(refusal)"))
    }
  }

  /// Adds an answer, and asks on.
  func receive(_ history: OldHistory, from link: LinkID) throws {
    guard historyFetches[history.palette]?.link == link,
      historyFetches[history.palette]?.add(history, at: store.nowMilliseconds) == true
    else { return }
    try askForHistory(of: history.palette)
  }

  /// Gives up what was asked over a connection that has ended, or of a peer that says nothing.
  func endHistories(of link: LinkID? = nil) {
    let now = store.nowMilliseconds
    for (palette, fetch) in historyFetches
    where fetch.link == link || link == nil && fetch.deadlineMilliseconds < now {
      endHistory(of: palette)
    }
  }

  private func endHistory(of palette: PaletteID) {
    historyFetches[palette] = nil
    settledHistory.insert(palette)
  }
}
