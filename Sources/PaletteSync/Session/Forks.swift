import PaletteMerge
import PaletteModel

/// Authors of whom both sides hold different changes, and the search for where they begin to differ.
///
/// Where it is an id of ours, these files or the peer's knowledge of them come from another time.
/// Then it has to be known from which change on, and only its author can heal it.
struct Forks: Sendable {
  private var authors: [PaletteID: Set<NodeID>] = [:]
  /// The search for the change from which on they differ.
  private var searches: [PaletteID: [NodeID: ForkSearch]] = [:]
  /// Found forks of own changes, of which the peer is to show a change that differs.
  private var proofs: [PaletteID: [NodeID: ForkSearch]] = [:]

  /// The number of changes after the first that differs of which one may stand for it, if it was
  /// compacted away.
  private static let shownChanges: UInt64 = 1_000

  /// Authors of whom nothing is pushed.
  func authors(in palette: PaletteID) -> Set<NodeID>? { authors[palette] }

  /// Begins again with a palette of which the peer has told how far it is.
  mutating func forget(_ palette: PaletteID) { authors[palette] = nil }

  /// Stops pushing an author, and searches for the last common change where it is an id of ours.
  mutating func add<Library: SyncLibrary>(
    _ dot: Dot,
    in palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard context.scope.covers(palette) else {
      return context.actions.fail("a palette out of scope")
    }
    let isKnown = !authors[palette, default: []].insert(dot.node).inserted
    guard context.library.isOwn(dot.node) else {
      if !isKnown { context.actions.append(.forked(palette, dot)) }
      return
    }
    // Only who may send the state of a palette is believed in this.
    guard context.trust.letsReissue(in: palette), searches[palette]?[dot.node] == nil,
      let held = try context.library.frontier(of: palette)[dot.node]
    else { return }
    // The peer may name a change that it refuses because of the one before.
    var search = ForkSearch(upTo: min(held.sequence, dot.sequence))
    context.actions.send(.linksOf(palette, dot.node, search.ask()))
    searches[palette, default: [:]][dot.node] = search
  }

  /// Narrows a search by an answer, and asks again until the last common change is found.
  mutating func receive<Library: SyncLibrary>(
    _ links: [Frame.Link],
    of node: NodeID,
    in palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard var search = searches[palette]?[node] else {
      return context.actions.fail("links that nobody asked for")
    }
    var own: [UInt32: UInt64] = [:]
    for sequence in search.asked {
      own[sequence] = try context.library.link(of: Dot(node, sequence), in: palette)
    }
    search.narrow(by: links, own: own)
    guard search.isDone else {
      context.actions.send(.linksOf(palette, node, search.ask()))
      searches[palette]?[node] = search
      return
    }
    searches[palette]?[node] = nil
    guard search.isFork else { return }
    // A link is only a claim: the change that differs has to be shown.
    let first = search.common + 1
    let last = UInt32(clamping: UInt64(first) + Self.shownChanges)
    proofs[palette, default: [:]][node] = search
    context.actions.send(.historyOf(palette, node, first: first, last: last))
  }

  /// Looks at changes that a peer shows as its own under an id of ours.
  ///
  /// - Returns: Whether the peer was asked for them.
  mutating func receive<Library: SyncLibrary>(
    shown history: OldHistory,
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> Bool {
    let (palette, node) = (history.palette, history.node)
    guard let search = proofs[palette]?.removeValue(forKey: node) else { return false }
    for bytes in history.changes.prefix(Int(Self.shownChanges) + 1) {
      guard let change = try? Change(decoding: bytes, in: palette), change.dot.node == node,
        change.dot.sequence > search.common,
        let own = try context.library.link(of: change.dot, in: palette),
        own != ChangeHash(of: bytes, in: palette).link
      else { continue }
      // The one behind the last common change must follow it.
      if change.dot.sequence == search.common + 1, let link = search.link, change.previous != link {
        continue
      }
      context.actions.append(.reissue(palette, node, after: search.common, link: search.link))
      return true
    }
    context.actions.append(.forked(palette, Dot(node, search.common + 1)))
    return true
  }

  /// Tells the peer, which looks for a fork, what we hold.
  static func sendLinks<Library: SyncLibrary>(
    of node: NodeID,
    _ sequences: [UInt32],
    in palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    let held = try context.library.frontier(of: palette)[node]?.sequence ?? 0
    var links: [Frame.Link] = []
    if context.scope.covers(palette) {
      for sequence in sequences.prefix(SyncProtocol.probes) where sequence <= held {
        let link = try context.library.link(of: Dot(node, sequence), in: palette)
        links.append(Frame.Link(sequence: sequence, link: link))
      }
    }
    context.actions.send(.links(palette, node, links))
  }

  /// The palettes in which both sides hold a change with the same dot, but not the same change.
  static func differences<Library: SyncLibrary>(
    in palette: PaletteID,
    _ own: Frontier,
    _ theirs: Frontier,
    _ library: Library
  ) throws(Library.Failure) -> [Dot] {
    var dots: [Dot] = []
    for (node, head) in theirs.sorted(by: { $0.key < $1.key }) {
      guard let held = own[node] else { continue }
      if head.sequence == held.sequence, head.link != held.link {
        dots.append(Dot(node, head.sequence))
      }
      if head.sequence < held.sequence,
        let link = try library.link(of: Dot(node, head.sequence), in: palette), link != head.link
      {
        dots.append(Dot(node, head.sequence))
      }
    }
    return dots
  }
}

/// The search for the last change of an author that both sides hold, where later ones differ.
///
/// Changes are chained, so both sides hold the same up to some number, and from then on they do not.
/// Each round asks for many links at once: four rounds are enough for any history.
struct ForkSearch: Hashable {
  /// Up to here both sides hold the same.
  private(set) var common: UInt32 = 0
  /// The link of that change, where one side knows it.
  private(set) var link: UInt64?
  /// From here on they do not.
  private(set) var differing: UInt32
  /// True if a change was found that is not the same on both sides.
  private(set) var isFork = false
  /// The open questions, ascending.
  private(set) var asked: [UInt32] = []

  /// Begins a search up to a number, which is included.
  init(upTo last: UInt32) {
    differing = last == .max ? last : last + 1
  }

  /// True if the last common change is found.
  var isDone: Bool { differing <= common + 1 }

  /// Chooses what to ask for next: all that is in question, or numbers at equal distances.
  mutating func ask(_ limit: Int = SyncProtocol.probes) -> [UInt32] {
    let count = Int(differing - common) - 1
    if count <= limit {
      asked = Array(common + 1..<differing)
    } else {
      asked = (1...limit).map { common + UInt32(count * $0 / limit) }
    }
    return asked
  }

  /// Narrows the search by an answer.
  ///
  /// A link that one side no longer knows counts as equal. A change that the peer left out it does
  /// not hold, so it is not common.
  mutating func narrow(
    by links: [Frame.Link],
    own: [UInt32: UInt64]
  ) {
    let theirs = Dictionary(
      links.map { ($0.sequence, $0.link) },
      uniquingKeysWith: { first, _ in first }
    )
    for sequence in asked where sequence > common && sequence < differing {
      guard let answer = theirs[sequence] else {
        differing = sequence
        break
      }
      if let answer, let own = own[sequence], answer != own {
        differing = sequence
        isFork = true
        break
      }
      common = sequence
      link = own[sequence] ?? answer
    }
    asked = []
  }
}
