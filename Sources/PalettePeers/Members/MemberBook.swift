internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The machines that were let in since the node began: who is connected, since when, and what each lacks.
final class MemberBook {
  /// What is known of a machine.
  private struct Entry {
    var connections: Set<PeerConnectionID> = []
    /// Since when it is connected, or is not.
    var since: Int64
    var lastHeard: Int64
    var scope: Scope
    var lacked = LackedChanges()
  }

  /// The most machines that are remembered when they are gone.
  private static let awayLimit = 256

  private var entries: [Int64: Entry] = [:]

  /// A machine came in.
  func greeted(_ member: Int64, by connection: PeerConnectionID, _ scope: Scope, at now: Int64) {
    var entry = entries[member] ?? Entry(since: now, lastHeard: now, scope: scope)
    if entry.connections.isEmpty { entry.since = now }
    entry.connections.insert(connection)
    entry.lastHeard = now
    entry.scope = scope
    entries[member] = entry
  }

  /// Something came from a machine.
  func heard(_ member: Int64, at now: Int64) { entries[member]?.lastHeard = now }

  /// A connection of a machine has ended.
  func closed(_ connection: PeerConnectionID, of member: Int64, at now: Int64) {
    guard entries[member]?.connections.remove(connection) != nil,
      entries[member]?.connections.isEmpty == true
    else {
      return
    }
    entries[member]?.since = now
    let away = entries.filter { $0.value.connections.isEmpty }
    guard away.count > Self.awayLimit else { return }
    if let longest = away.min(by: { $0.value.since < $1.value.since }) {
      entries[longest.key] = nil
    }
  }

  /// Changes became durable here.
  ///
  /// - Parameters:
  ///   - runs: The changes.
  ///   - palette: Their palette.
  func committed(_ runs: [ChangeRun], in palette: PaletteID) {
    for member in Array(entries.keys) where entries[member]?.scope.covers(palette) == true {
      for run in runs {
        if let connection = run.origin, entries[member]?.connections.contains(connection) == true {
          entries[member]?.lacked.holds([run.node: run.last], of: palette)
        } else {
          entries[member]?.lacked.lacks(run.node, run.first...run.last, of: palette)
        }
      }
    }
  }

  /// A machine says how much it holds of a palette.
  ///
  /// - Parameters:
  ///   - member: The machine.
  ///   - frontier: How much it holds, of all authors or of some.
  ///   - palette: The palette.
  ///   - own: What is held here, where it spoke of all authors.
  func stated(_ member: Int64, _ frontier: Frontier, of palette: PaletteID, beside own: Frontier?) {
    if let own {
      entries[member]?.lacked.compare(frontier, with: own, of: palette)
    } else {
      entries[member]?.lacked.holds(frontier.mapValues(\.sequence), of: palette)
    }
  }

  /// A machine holds all of these palettes, whatever it said before.
  func holdsAll(_ member: Int64, except differing: Set<PaletteID>) {
    entries[member]?.lacked.clear(except: differing)
  }

  /// How a machine stands; nil for one that was not here since the node began.
  func standing(of member: Int64) -> MemberStanding? {
    entries[member].map {
      MemberStanding(
        isLive: !$0.connections.isEmpty,
        sinceMilliseconds: $0.since,
        lastHeardMilliseconds: $0.lastHeard,
        lackedChanges: $0.lacked.count
      )
    }
  }
}

/// How a machine that was let in stands.
package struct MemberStanding: Equatable {
  /// Whether it is connected.
  package let isLive: Bool
  /// Since when, in milliseconds since 1970.
  package let sinceMilliseconds: Int64
  /// When it was last heard.
  package let lastHeardMilliseconds: Int64
  /// How many changes it has not stated to hold; nil where it lacks more than is counted.
  package let lackedChanges: Int?
}

/// The changes held here that a machine has not stated to hold, as numbers of each author.
struct LackedChanges {
  private struct Range {
    var held: UInt32
    var last: UInt32

    var count: Int { Int(last) - Int(held) }
  }

  /// Beyond so many authors of all palettes nothing is counted any more.
  private static let authorLimit = 1_000

  private var missing: [PaletteID: [NodeID: Range]] = [:]
  private var authors = 0
  private var isBeyondLimit = false

  /// How many they are; nil where they are not counted.
  var count: Int? {
    isBeyondLimit
      ? nil : missing.values.reduce(0) { $1.values.reduce($0) { $0 + $1.count } }
  }

  /// Changes of an author are held here.
  mutating func lacks(_ node: NodeID, _ sequences: ClosedRange<UInt32>, of palette: PaletteID) {
    if let last = missing[palette]?[node]?.last {
      missing[palette]?[node]?.last = max(last, sequences.upperBound)
    } else {
      add(
        Range(held: max(1, sequences.lowerBound) - 1, last: sequences.upperBound),
        by: node,
        of: palette
      )
    }
  }

  /// The machine holds changes of some authors up to these numbers.
  mutating func holds(_ sequences: [NodeID: UInt32], of palette: PaletteID) {
    for (node, sequence) in sequences {
      guard let range = missing[palette]?[node] else { continue }
      if sequence < range.last {
        missing[palette]?[node]?.held = sequence
      } else {
        remove(node, of: palette)
      }
    }
  }

  /// The machine says all that it holds of a palette.
  mutating func compare(_ theirs: Frontier, with own: Frontier, of palette: PaletteID) {
    authors -= missing.removeValue(forKey: palette)?.count ?? 0
    for (node, head) in own {
      let held = theirs[node]?.sequence ?? 0
      if held < head.sequence {
        add(Range(held: held, last: head.sequence), by: node, of: palette)
      }
    }
  }

  /// The machine holds all that is held here, but for some palettes.
  mutating func clear(except differing: Set<PaletteID>) {
    missing = missing.filter { differing.contains($0.key) }
    authors = missing.values.reduce(0) { $0 + $1.count }
    isBeyondLimit = false
  }

  private mutating func add(_ range: Range, by node: NodeID, of palette: PaletteID) {
    guard authors < Self.authorLimit else {
      isBeyondLimit = true
      return
    }
    missing[palette, default: [:]][node] = range
    authors += 1
  }

  private mutating func remove(_ node: NodeID, of palette: PaletteID) {
    missing[palette]?[node] = nil
    authors -= 1
    if missing[palette]?.isEmpty == true { missing[palette] = nil }
  }
}
