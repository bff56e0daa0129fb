internal import PaletteMerge
package import PaletteModel

/// The number of this library's own edits that wait for peers.
package struct PendingChanges: Sendable {
  /// For each peer that was asked about, how many changes it takes and has not stated to hold.
  package fileprivate(set) var atPeers: [String: Int] = [:]
  /// The number of changes of a palette no peer that takes them has stated to hold; palettes
  /// without such are left out.
  package fileprivate(set) var inPalettes: [PaletteID: Int] = [:]
}

/// The palettes whose pending changes are to be counted before the next answer.
///
/// Whatever may alter a count says so here, and nothing else has to know of counts: a transaction that
/// wrote in a palette or was undone, a peer that stated to hold or refused something, or was left.
final class UncountedPalettes {
  /// So many palettes take as long to count one by one as all at once.
  private static let limit = 1_024
  private var some: Set<PaletteID> = []
  /// True if nothing is counted.
  private(set) var isAll = true

  func insert(_ palette: PaletteID) {
    guard !isAll else { return }
    some.insert(palette)
    if some.count > Self.limit { insertAll() }
  }

  func insert(_ palettes: some Sequence<PaletteID>) {
    for palette in palettes { insert(palette) }
  }

  func insertAll() { (some, isAll) = ([], true) }

  /// The palettes that are to be counted, where not all are; they count as counted from now on.
  func removeAll() -> Set<PaletteID> {
    defer { (some, isAll) = ([], false) }
    return some
  }
}

/// The pending changes of all palettes, kept from one answer to the next.
///
/// Of a library that another process may write everything is counted each time.
final class PendingTally {
  private let database: StoreDatabase
  private let peers: PeerTable
  private let authors: AuthorNames
  private let uncounted: UncountedPalettes
  private let isWritable: Bool

  /// The rights of each peer of the last answer.
  private var trusts: [String: Trust] = [:]
  /// The pending changes of a palette at each of those peers; palettes without any are left out.
  private var counted: [PaletteID: [String: Int]] = [:]
  private var sums = PendingChanges()

  init(
    _ database: StoreDatabase,
    _ peers: PeerTable,
    _ authors: AuthorNames,
    _ uncounted: UncountedPalettes,
    isWritable: Bool
  ) {
    self.database = database
    self.peers = peers
    self.authors = authors
    self.uncounted = uncounted
    self.isWritable = isWritable
  }

  /// The pending changes at these peers.
  func changes(at asked: [StoredPeer]) throws(StoreError) -> PendingChanges {
    var trusts: [String: Trust] = [:]
    for peer in asked { trusts[peer.url] = .hub(peer.grants) }
    if trusts != self.trusts || !isWritable { uncounted.insertAll() }
    self.trusts = trusts
    do throws(StoreError) {
      try recount()
    } catch {
      uncounted.insertAll()
      throw error
    }
    return sums
  }

  /// The pending changes of one palette at these peers, which need not be all that it has.
  func changes(
    of palette: PaletteID,
    at asked: [StoredPeer]
  ) throws(StoreError) -> PendingChanges {
    var changes = PendingChanges()
    let streams = try ownStreams(of: palette)
    let takers = asked.filter { Trust.hub($0.grants).letsOutChanges(of: palette) }.map(\.url)
    for peer in asked { changes.atPeers[peer.url] = 0 }
    for url in takers { changes.atPeers[url] = streams.count(of: palette, at: [url]) }
    let count = streams.count(of: palette, at: takers)
    if count > 0 { changes.inPalettes[palette] = count }
    return changes
  }

  func ownStreams(of palette: PaletteID?) throws(StoreError) -> OwnStreams {
    try OwnStreams(of: palette, database, peers, authors)
  }

  private func recount() throws(StoreError) {
    guard !trusts.isEmpty else {
      (counted, sums) = ([:], PendingChanges())
      return
    }
    guard uncounted.isAll else {
      for palette in uncounted.removeAll() {
        count(palette, in: try ownStreams(of: palette))
      }
      return
    }
    _ = uncounted.removeAll()
    (counted, sums) = ([:], PendingChanges())
    for url in trusts.keys { sums.atPeers[url] = 0 }
    let streams = try ownStreams(of: nil)
    for palette in streams.palettes { count(palette, in: streams) }
  }

  private func count(_ palette: PaletteID, in streams: OwnStreams) {
    for (url, count) in counted.removeValue(forKey: palette) ?? [:] {
      sums.atPeers[url, default: 0] -= count
    }
    var counts: [String: Int] = [:]
    var takers: [String] = []
    for (url, trust) in trusts where trust.letsOutChanges(of: palette) {
      takers.append(url)
      let count = streams.count(of: palette, at: [url])
      if count > 0 { counts[url] = count }
      sums.atPeers[url, default: 0] += count
    }
    if !counts.isEmpty { counted[palette] = counts }
    let count = streams.count(of: palette, at: takers)
    sums.inPalettes[palette] = count > 0 ? count : nil
  }
}
