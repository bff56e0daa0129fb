package import PaletteModel
package import PaletteSync

/// Who is where, as far as this node knows: stated here, or told by peers and passed on.
///
/// Later statements of the same view win, whatever way they came, so that nothing goes in circles.
/// Views here state themselves again and again; whoever is silent for long is gone.
package struct PresenceTable {
  private struct Entry {
    var presence: Presence
    /// The connection that told of it; nil for a view of this node's own.
    var link: LinkID?
    /// When it was heard of last, by this node's clock.
    var heardMilliseconds: Int64
  }

  /// The most views that are known at once, and from one connection; further ones are passed over.
  static let limit = 10_000
  static let linkLimit = 500
  static let refreshMilliseconds: Int64 = 20_000
  static let silenceMilliseconds: Int64 = 60_000
  /// Whatever is said of this time or a later one is passed over: something must be newer yet.
  static let endOfTime: UInt64 = 1 << 48

  private var entries: [Presence.Who: Entry] = [:]
  /// The views that peers are to be told of.
  private var news: Set<Presence.Who> = []
  /// The palettes that somebody came to or left, for those who watch them here.
  package private(set) var touched: Set<PaletteID> = []

  /// Those who look at a palette, in a fixed order.
  package func views(of palette: PaletteID) -> [Presence] {
    entries.values.map(\.presence).filter { $0.palette == palette }.sorted {
      ($0.name, $0.who) < ($1.name, $1.who)
    }
  }

  /// Takes what a peer states.
  mutating func hear(_ presence: Presence, from link: LinkID, at milliseconds: Int64) {
    guard presence.milliseconds < Self.endOfTime else { return }
    if entries[presence.who] == nil, entries.count >= Self.linkLimit {
      // One connection must not take the room of all others.
      let count = entries.values.reduce(0) { $0 + ($1.link == link ? 1 : 0) }
      guard count < Self.linkLimit else { return }
    }
    take(presence, from: link, at: milliseconds)
  }

  /// Takes a statement; an older one than is known changes nothing.
  mutating func take(_ presence: Presence, from link: LinkID?, at milliseconds: Int64) {
    let old = entries[presence.who]
    if let old, old.presence.milliseconds >= presence.milliseconds { return }
    guard old != nil || entries.count < Self.limit else { return }
    entries[presence.who] = Entry(
      presence: presence,
      link: link,
      heardMilliseconds: milliseconds
    )
    news.insert(presence.who)
    let isSame =
      old?.presence.palette == presence.palette && old?.presence.name == presence.name
      && old?.presence.selection == presence.selection
    if !isSame { touched.formUnion([old?.presence.palette, presence.palette].compactMap(\.self)) }
  }

  /// States where a view of this node's own is; nil when it has ended.
  mutating func state(
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
    take(presence, from: nil, at: milliseconds)
  }

  /// Notes that a view of this node's own, or whatever it was, has ended.
  mutating func end(_ who: Presence.Who, at milliseconds: Int64) {
    guard let entry = entries[who], entry.presence.palette != nil else { return }
    take(
      entry.presence.gone(milliseconds: entry.presence.milliseconds + 1),
      from: entry.link,
      at: milliseconds
    )
  }

  /// Lets this node's own views go on under another id of it.
  mutating func rename(to node: NodeID, at milliseconds: Int64) {
    for (who, entry) in entries where entry.link == nil && who.node != node {
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

  /// Notes that a connection has ended, and with it all that it told of.
  mutating func end(_ link: LinkID, at milliseconds: Int64) {
    for (who, entry) in entries where entry.link == link { end(who, at: milliseconds) }
  }

  /// States own views again, and lets those go that were not heard of for long.
  mutating func refresh(at milliseconds: Int64) {
    for (who, entry) in entries {
      let silence = abs(milliseconds - entry.heardMilliseconds)
      let presence = entry.presence
      if presence.palette == nil {
        if silence >= Self.silenceMilliseconds { entries[who] = nil }
      } else if entry.link == nil, silence >= Self.refreshMilliseconds {
        state(
          who,
          name: presence.name,
          palette: presence.palette,
          selection: presence.selection,
          at: milliseconds
        )
      } else if silence >= Self.silenceMilliseconds {
        end(who, at: milliseconds)
      }
    }
  }

  /// Takes what peers are to be told; several statements of one view have become one.
  ///
  /// - Returns: Each statement, with the connection that it came from.
  mutating func takeNews() -> [(presence: Presence, source: LinkID?)] {
    defer { news = [] }
    return news.sorted().compactMap { who in entries[who].map { ($0.presence, $0.link) } }
  }

  /// Everybody who is somewhere, for a peer that has just come.
  var present: [Presence] {
    entries.sorted { $0.key < $1.key }.map(\.value.presence).filter { $0.palette != nil }
  }

  /// Has those who watch a palette told who is there.
  package mutating func touch(_ palette: PaletteID) { touched.insert(palette) }

  /// Takes the palettes that somebody came to or left.
  package mutating func takeTouched() -> Set<PaletteID> {
    defer { touched = [] }
    return touched
  }
}
