import PaletteMerge
import PaletteModel

/// The reports of a peer on palettes of which this side does not hold all yet.
///
/// A peer may say anything, so what is kept of it is counted.
struct HeldReports: Sendable {
  /// The report of a peer on one palette.
  private struct Statement {
    let frontier: Frontier
    let digest: Digest
  }

  private var statements: [PaletteID: Statement] = [:]
  /// The number of changes of each that are to come, where any are.
  private var missing: [PaletteID: Int] = [:]
  /// The number of changes that are to come, of all palettes together.
  private(set) var changesToCome = 0
  /// Frontiers of which some parts have come.
  private var parts: [PaletteID: Frontier] = [:]
  /// The changes that the peer holds, that are missing here and that it may not push.
  private var outOfReach: [PaletteID: Frontier] = [:]
  /// About how many bytes are kept.
  private(set) var byteCount = 0

  /// The most authors that are kept of what is out of reach; of liars, not much.
  private static let keptOutOfReach = 1_000

  var isEmpty: Bool { statements.isEmpty }

  /// Adds a part of a frontier; the whole one when that was the last.
  mutating func assemble(_ part: Frontier, of palette: PaletteID, isLast: Bool) -> Frontier? {
    guard let begun = parts.removeValue(forKey: palette) else {
      if isLast { return part }
      parts[palette] = part
      byteCount += Self.bytes(part)
      return nil
    }
    byteCount -= Self.bytes(begun)
    let whole = begun.merging(part) { $1 }
    if isLast { return whole }
    parts[palette] = whole
    byteCount += Self.bytes(whole)
    return nil
  }

  /// Expects what the peer said to hold of a palette, in place of what it said before.
  mutating func expect(_ frontier: Frontier, _ digest: Digest, of palette: PaletteID) {
    forget(palette)
    byteCount += Self.bytes(frontier)
    statements[palette] = Statement(frontier: frontier, digest: digest)
  }

  /// Expects nothing of a palette of which the peer says to hold nothing.
  mutating func expectNothing(of palette: PaletteID) {
    forget(palette)
    outOfReach[palette] = nil
  }

  /// Compares digests when we hold exactly what the peer said it holds.
  ///
  /// `known` is what we hold, where that was read just now.
  mutating func check<Library: SyncLibrary>(
    _ palette: PaletteID,
    holding known: Frontier? = nil,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard let statement = statements[palette] else { return }
    let own = if let known { known } else { try context.library.frontier(of: palette) }
    guard own.covers(statement.frontier) else {
      let theirs = statement.frontier.filter {
        context.trust.letsIn(changesBy: $0.key, in: palette)
      }
      return setChangesToCome(Self.missing(theirs, in: own), of: palette)
    }
    forget(palette)
    if own == statement.frontier, try context.library.digest(of: palette) != statement.digest {
      context.actions.append(.diverged(palette))
    }
  }

  /// Keeps what a peer holds that is missing here and that it may not push.
  mutating func keepOutOfReach(
    _ palette: PaletteID,
    _ theirs: Frontier,
    _ own: Frontier,
    _ trust: Trust
  ) {
    let missing = theirs.filter { node, head in
      head.sequence > own[node]?.sequence ?? 0 && !trust.letsIn(changesBy: node, in: palette)
        && !trust.isBound(node)
    }
    outOfReach[palette] = nil
    guard !missing.isEmpty else { return }
    let kept = outOfReach.values.reduce(0) { $0 + $1.count }
    guard kept + missing.count <= Self.keptOutOfReach else { return }
    outOfReach[palette] = missing
  }

  /// The number of changes the peer said to hold that are not held here, and that it may not push.
  func changesOutOfReach<Library: SyncLibrary>(
    _ library: Library
  ) throws(Library.Failure) -> Int {
    var count = 0
    for (palette, theirs) in outOfReach {
      count += try Self.missing(theirs, in: library.frontier(of: palette))
    }
    return count
  }

  private mutating func forget(_ palette: PaletteID) {
    byteCount -= Self.bytes(statements.removeValue(forKey: palette)?.frontier)
    setChangesToCome(0, of: palette)
  }

  private mutating func setChangesToCome(_ count: Int, of palette: PaletteID) {
    changesToCome += count - (missing[palette] ?? 0)
    missing[palette] = count > 0 ? count : nil
  }

  /// The number of changes a frontier has that another one lacks.
  static func missing(_ theirs: Frontier, in own: Frontier) -> Int {
    theirs.reduce(0) { $0 + max(0, Int($1.value.sequence) - Int(own[$1.key]?.sequence ?? 0)) }
  }

  private static func bytes(_ frontier: Frontier?) -> Int {
    frontier.map { 64 + 24 * $0.count } ?? 0
  }
}
