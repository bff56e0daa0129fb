internal import PaletteModel
internal import PaletteStore

/// Own changes that are to be issued again, how often peers have that done, and the id that peers know.
final class Reissues {
  /// Own changes that are to be issued again when the event is dealt with.
  private var waiting: [PaletteID: Reissue] = [:]
  /// For each palette and former id, the number after which changes are to be restated.
  private var unheard: [PaletteID: [NodeID: UInt32]] = [:]
  /// The times at which a peer had own changes issued again, or an id given up, over all its
  /// connections.
  private var healings: [Payer: [Int64]] = [:]
  /// The last id of this library that a peer showed changes under which were not made here.
  private var shownIDs: [Payer: NodeID] = [:]
  /// The times at which an author's present id was changed because a peer knew it as another's.
  private var renamings: [AuthorID: [Int64]] = [:]
  /// The node id that peers were greeted with.
  private(set) var greetedNode: NodeID
  /// The number of times that the library was rolled back, as far as peers know.
  private var toldRollbackCount = 0

  /// The number of times in an hour that one peer may have own changes issued again or an id given
  /// up, and all peers together an id changed that they refuse.
  private static let healingsAnHour = 8
  private static let renamingsAnHour = 3

  init(greetedNode: NodeID) {
    self.greetedNode = greetedNode
  }

  /// The number of times that the library's id was changed within the last hour.
  var renamingCount: Int { renamings[.library]?.count ?? 0 }

  /// Adds the reissue of a node id's changes after a number.
  func add(_ cut: Reissue.Cut, of node: NodeID, in palette: PaletteID) {
    var reissue = waiting[palette] ?? Reissue(cuts: [:])
    guard reissue.cuts[node].map({ $0.sequence > cut.sequence }) ?? true else { return }
    reissue.cuts[node] = cut
    waiting[palette] = reissue
  }

  /// Adds reissues of palettes that have none yet.
  func add(_ others: [PaletteID: Reissue]) { waiting.merge(others) { first, _ in first } }

  /// Adds the changes of a former id to those to restate, beginning with one.
  func addUnheard(_ dot: Dot, in palette: PaletteID) {
    let cut = min(unheard[palette]?[dot.node] ?? .max, max(1, dot.sequence) - 1)
    unheard[palette, default: [:]][dot.node] = cut
  }

  /// Removes and returns what is to be restated.
  func removeUnheard() -> [PaletteID: [NodeID: UInt32]] {
    defer { unheard = [:] }
    return unheard
  }

  /// Removes and returns what is to be issued again.
  func removeAll() -> [PaletteID: Reissue] {
    defer { waiting = [:] }
    return waiting
  }

  /// Returns whether a peer may have own changes issued again, which makes the log longer for
  /// everybody.
  func admits(_ party: Payer, at now: Int64) -> Bool {
    var times = Self.recent(healings[party] ?? [], at: now)
    // Findings within a second count once.
    if times.last.map({ now - $0 >= 1_000 }) ?? true {
      guard times.count < Self.healingsAnHour else { return false }
      times.append(now)
    }
    healings[party] = times
    return true
  }

  /// Returns whether a peer may show changes under a present id that were not made here.
  ///
  /// This library goes on under another id than `node` then, once, however many such changes come
  /// until they are merged. Each id that is given up counts, however fast they come.
  func admitsNewID(insteadOf node: NodeID, from party: Payer, at now: Int64) -> Bool {
    guard shownIDs[party] != node else { return true }
    let times = Self.recent(healings[party] ?? [], at: now)
    guard times.count < Self.healingsAnHour else { return false }
    healings[party] = times + [now]
    shownIDs[party] = node
    return true
  }

  /// Returns whether an author's id may be changed for a peer that knows it as somebody else's.
  ///
  /// A peer that refuses every id must not be tried with ever new ones.
  func admitsRenaming(of author: AuthorID, at now: Int64) -> Bool {
    let times = Self.recent(renamings[author] ?? [], at: now)
    renamings[author] = times
    return times.count < Self.renamingsAnHour
  }

  /// Remembers that an author's id was changed.
  func wasRenamed(_ author: AuthorID, at now: Int64) { renamings[author, default: []].append(now) }

  /// Greets peers with another id from now on.
  func greet(as node: NodeID) { greetedNode = node }

  /// Returns whether the library was rolled back since peers were told.
  func tell(rollbackCount: Int) -> Bool {
    defer { toldRollbackCount = rollbackCount }
    return rollbackCount > toldRollbackCount
  }

  private static func recent(_ times: [Int64], at now: Int64) -> [Int64] {
    times.filter { abs(now - $0) < 3_600_000 }
  }
}
