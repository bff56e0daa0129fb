internal import PaletteMerge
package import PaletteModel
package import PaletteSync

/// The views of people, as far as this node knows them: stated here, or reported by peers and
/// passed on.
///
/// The latest statement of a view wins, whichever way it came, so nothing circulates forever. Local views
/// are restated periodically; one that stays silent is removed.
///
/// What is told is counted for each party, over all its connections, so that nobody takes the room of
/// others.
package final class PresenceTable {
  private struct Entry {
    var presence: Presence
    /// The connection that told of it; nil for a view of this node's own.
    var connection: PeerConnectionID?
    /// Whoever told of it; nil for a view of this node's own.
    var party: Payer?
    /// The time of the last word of it, by this node's clock.
    var heardMilliseconds: Int64
    /// True if it waits to be stated again, and whether its silence is watched.
    var waits = (refresh: false, silence: false)
  }

  /// The most views at once; further ones take the place of views of the party that has most.
  static let limit = 10_000
  /// The most views that a party tells of, its own or those of others; further ones are ignored.
  static let partyLimit = 256
  /// The most views that those who watch a palette are told of at once.
  static let shownLimit = 256
  static let refreshMilliseconds: Int64 = 20_000
  static let silenceMilliseconds: Int64 = 60_000
  /// Statements with this time or a later one are ignored, so that a newer one is always possible.
  static let endOfTime: UInt64 = 1 << 48

  private var entries: [Presence.Who: Entry] = [:]
  /// The views of each palette, and what each connection and each party told of.
  private var places: [PaletteID: Set<Presence.Who>] = [:]
  private var told: [PeerConnectionID: Set<Presence.Who>] = [:]
  private var shares: [Payer: Set<Presence.Who>] = [:]
  /// The views to restate, and those that may have gone silent.
  private var refreshes = DueQueue<Presence.Who>(afterMilliseconds: refreshMilliseconds)
  private var silences = DueQueue<Presence.Who>(afterMilliseconds: silenceMilliseconds)
  /// The views that peers are to be told of, with the palettes where they were since they were told.
  private var news: [Presence.Who: Set<PaletteID>] = [:]
  /// The palettes that somebody came to or left, for those who watch them here.
  package private(set) var touched: Set<PaletteID> = []

  /// All views of a palette, each with its palette.
  package var palettesInView: [(who: Presence.Who, palette: PaletteID)] {
    places.flatMap { palette, views in views.map { ($0, palette) } }
  }

  /// Those who look at a palette, in a fixed order.
  package func views(of palette: PaletteID) -> [Presence] {
    (places[palette] ?? []).compactMap { entries[$0]?.presence }.sorted {
      ($0.name, $0.who) < ($1.name, $1.who)
    }
  }

  /// The views of a palette of which those who watch it are told: all of them, or of each party as
  /// many as leave room for the others, in a fixed order.
  package func shownViews(of palette: PaletteID) -> [Presence] {
    let all = views(of: palette)
    guard all.count > Self.shownLimit else { return all }
    var ranks: [Payer?: Int] = [:]
    let ranked = all.map { view in
      let party = entries[view.who]?.party
      defer { ranks[party, default: 0] += 1 }
      return (view: view, rank: ranks[party] ?? 0)
    }
    let shown = ranked.sorted { ($0.rank, $0.view.who) < ($1.rank, $1.view.who) }
    return shown.prefix(Self.shownLimit).map(\.view).sorted {
      ($0.name, $0.who) < ($1.name, $1.who)
    }
  }

  /// Applies what a peer states.
  func hear(
    _ presence: Presence,
    from connection: PeerConnectionID,
    of party: Payer,
    at milliseconds: Int64
  ) {
    guard presence.milliseconds < Self.endOfTime else { return }
    if entries[presence.who]?.party != party {
      guard makeRoomAmongOwn(of: party) else { return }
    }
    if entries[presence.who] == nil, entries.count >= Self.limit {
      guard makeRoom(for: party) else { return }
    }
    update(with: presence, from: connection, of: party, at: milliseconds)
  }

  /// Returns whether a party may tell of one more view; one that has ended makes room.
  private func makeRoomAmongOwn(of party: Payer) -> Bool {
    guard let share = shares[party], share.count >= Self.partyLimit else { return true }
    guard let ended = share.first(where: { entries[$0]?.presence.palette == nil }) else {
      return false
    }
    replace(entries[ended], by: nil)
    return true
  }

  /// Makes room for a view of a party in the whole table.
  ///
  /// A party that has most gives up one, unless this one has as many. Peers that know of that view
  /// forget it when it stays silent.
  private func makeRoom(for party: Payer) -> Bool {
    guard let most = shares.max(by: { $0.value.count < $1.value.count }),
      most.value.count > shares[party]?.count ?? 0,
      let who = most.value.first(where: { entries[$0]?.presence.palette == nil })
        ?? most.value.first
    else { return false }
    if let palette = entries[who]?.presence.palette { touched.insert(palette) }
    replace(entries[who], by: nil)
    return true
  }

  /// Applies a statement; an older one than is known changes nothing.
  func update(
    with presence: Presence,
    from connection: PeerConnectionID?,
    of party: Payer? = nil,
    at milliseconds: Int64
  ) {
    let old = entries[presence.who]
    if let old, old.presence.milliseconds >= presence.milliseconds { return }
    guard old != nil || entries.count < Self.limit else { return }
    var new = Entry(
      presence: presence,
      connection: connection,
      party: party,
      heardMilliseconds: milliseconds
    )
    new.waits = old?.waits ?? (false, false)
    replace(old, by: new)
    lookAfter(presence.who)
    news[presence.who, default: []].formUnion([old?.presence.palette].compactMap(\.self))
    let isSame =
      old?.presence.palette == presence.palette && old?.presence.name == presence.name
      && old?.presence.selection == presence.selection
    if !isSame { touched.formUnion([old?.presence.palette, presence.palette].compactMap(\.self)) }
  }

  /// Puts an entry where an old one was, in the indexes too.
  private func replace(_ old: Entry?, by new: Entry?) {
    guard let who = (new ?? old)?.presence.who else { return }
    if old?.presence.palette != new?.presence.palette {
      if let palette = old?.presence.palette { Self.remove(who, from: &places, at: palette) }
      if let palette = new?.presence.palette { places[palette, default: []].insert(who) }
    }
    if old?.connection != new?.connection {
      if let connection = old?.connection { Self.remove(who, from: &told, at: connection) }
      if let connection = new?.connection { told[connection, default: []].insert(who) }
    }
    if old?.party != new?.party {
      if let party = old?.party { Self.remove(who, from: &shares, at: party) }
      if let party = new?.party { shares[party, default: []].insert(who) }
    }
    entries[who] = new
  }

  private static func remove<Key>(
    _ who: Presence.Who,
    from index: inout [Key: Set<Presence.Who>],
    at key: Key
  ) {
    index[key]?.remove(who)
    if index[key]?.isEmpty == true { index[key] = nil }
  }

  /// Schedules a view to be restated or removed; each is queued once, however often it is stated.
  private func lookAfter(_ who: Presence.Who) {
    guard let entry = entries[who] else { return }
    if !entry.waits.silence {
      entries[who]?.waits.silence = true
      silences.add(who, at: entry.heardMilliseconds)
    }
    if !entry.waits.refresh, entry.connection == nil, entry.presence.palette != nil {
      entries[who]?.waits.refresh = true
      refreshes.add(who, at: entry.heardMilliseconds)
    }
  }

  /// States where a view of this node's own is; nil when it has ended.
  func state(
    _ who: Presence.Who,
    name: String,
    palette: PaletteID?,
    selection: RecordID?,
    at milliseconds: Int64
  ) {
    let last = entries[who]?.presence.milliseconds ?? 0
    let presence = Presence(
      who: who,
      name: name,
      milliseconds: max(UInt64(max(0, milliseconds)), last + 1),
      palette: palette,
      selection: selection
    )
    update(with: presence, from: nil, at: milliseconds)
  }

  /// Ends a view.
  func end(_ who: Presence.Who, at milliseconds: Int64) {
    guard let entry = entries[who], entry.presence.palette != nil else { return }
    update(
      with: entry.presence.gone(milliseconds: entry.presence.milliseconds + 1),
      from: entry.connection,
      of: entry.party,
      at: milliseconds
    )
  }

  /// Moves this node's own views to its new id.
  func rename(to node: NodeID, at milliseconds: Int64) {
    for (who, entry) in entries where entry.connection == nil && who.node != node {
      guard let palette = entry.presence.palette else { continue }
      end(who, at: milliseconds)
      state(
        Presence.Who(node: node, session: who.session),
        name: entry.presence.name,
        palette: palette,
        selection: entry.presence.selection,
        at: milliseconds
      )
    }
  }

  /// Ends the views that a closed connection told of.
  func end(_ connection: PeerConnectionID, at milliseconds: Int64) {
    for who in (told[connection] ?? []).sorted() { end(who, at: milliseconds) }
  }

  /// Restates own views, and ends those that have gone silent.
  func refresh(at milliseconds: Int64) {
    while let (who, since) = refreshes.next(at: milliseconds) {
      entries[who]?.waits.refresh = false
      guard let entry = entries[who], entry.connection == nil, let palette = entry.presence.palette
      else {
        continue
      }
      guard entry.heardMilliseconds == since else {
        lookAfter(who)
        continue
      }
      state(
        who,
        name: entry.presence.name,
        palette: palette,
        selection: entry.presence.selection,
        at: milliseconds
      )
    }
    while let (who, since) = silences.next(at: milliseconds) {
      entries[who]?.waits.silence = false
      guard let entry = entries[who] else { continue }
      if entry.heardMilliseconds != since {
        lookAfter(who)
      } else if entry.presence.palette == nil {
        replace(entry, by: nil)
      } else {
        end(who, at: milliseconds)
      }
    }
  }

  /// Removes what peers are to be told; several statements of one view have become one.
  ///
  /// - Returns: Each statement, with the connection that it came from, and the palettes whose peers it
  ///   concerns: where the view is, and where it was since they were told.
  func removeNews() -> [(presence: Presence, source: PeerConnectionID?, palettes: Set<PaletteID>)] {
    defer { news = [:] }
    return news.sorted { $0.key < $1.key }.compactMap { who, former in
      entries[who].map {
        ($0.presence, $0.connection, former.union([$0.presence.palette].compactMap(\.self)))
      }
    }
  }

  /// Everybody who is somewhere within a scope, for a peer that has just come.
  func present(in scope: Scope) -> [Presence] {
    guard case .palettes(let palettes) = scope else { return present }
    return palettes.sorted().flatMap(views(of:)).sorted { $0.who < $1.who }
  }

  /// Everybody who is somewhere.
  var present: [Presence] {
    entries.sorted { $0.key < $1.key }.map(\.value.presence).filter { $0.palette != nil }
  }

  /// Marks a palette whose watchers are to be told who is there.
  package func touch(_ palette: PaletteID) { touched.insert(palette) }

  /// Removes the palettes that somebody came to or left.
  package func removeTouched() -> Set<PaletteID> {
    defer { touched = [] }
    return touched
  }
}
