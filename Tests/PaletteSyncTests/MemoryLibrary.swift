import PaletteMerge
import PaletteModel

@testable import PaletteSync

/// A library of pure states, for sessions under test.
final class MemoryLibrary: SyncLibrary {
  var node: NodeID
  var ownNodes: Set<NodeID>
  var states: [PaletteID: PaletteState] = [:]
  /// Every change in the order in which it was taken.
  var log: [PaletteID: [OutgoingChange]] = [:]
  /// How many changes of snapshots were lent.
  var lentRows = 0
  /// Palettes whose log counts as compacted.
  var compacted: Set<PaletteID> = []

  init(_ node: NodeID) {
    self.node = node
    ownNodes = [node]
  }

  func palettes(in scope: Scope) -> [Frame.Entry] {
    states.filter { scope.covers($0.key) }.map {
      Frame.Entry(palette: $0.key, digest: $0.value.digest)
    }
  }

  func frontier(of palette: PaletteID) -> Frontier { states[palette]?.frontier ?? [:] }

  func digest(of palette: PaletteID) -> Digest { states[palette]?.digest ?? .zero }

  func link(of dot: Dot, in palette: PaletteID) -> UInt64? {
    log[palette]?.first { $0.dot == dot }.map { ChangeHash(of: $0.bytes.array, in: palette).link }
  }

  func changes(
    of palette: PaletteID,
    after frontier: Frontier,
    byteLimit: Int
  ) -> [OutgoingChange]? {
    let lacking = (log[palette] ?? []).filter { !frontier.holds($0.dot) }
    if compacted.contains(palette), !lacking.isEmpty { return nil }
    var size = 0
    return Array(
      lacking.prefix { change in
        defer { size += change.bytes.count }
        return size < byteLimit
      }
    )
  }

  func outline(of palette: PaletteID) -> SnapshotOutline? {
    try? states[palette]?.snapshot.outline(in: palette)
  }

  func lend(
    _ rows: ArraySlice<SnapshotOutline.Row>,
    of palette: PaletteID,
    to body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    let bytes = Dictionary(
      (states[palette]?.snapshot.rows ?? []).compactMap { row in
        (try? Change(decoding: row.bytes, in: palette)).map { ($0.dot, row.bytes) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    for row in rows {
      guard let bytes = bytes[row.dot] else { return false }
      lentRows += 1
      guard bytes.withUnsafeBytes(body) else { return true }
    }
    return true
  }

  func oldHistory(
    of palette: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) -> OldHistory {
    OldHistory(
      palette: palette,
      node: node,
      last: numbers.upperBound,
      sinceMilliseconds: nil,
      changes: (log[palette] ?? []).filter {
        $0.dot.node == node && numbers.contains($0.dot.sequence)
      }.map(\.bytes.array)
    )
  }

  func isOwn(_ node: NodeID) -> Bool { ownNodes.contains(node) }

  /// Makes a change here.
  func author(_ edit: Edit, in palette: PaletteID, at milliseconds: Int64) throws -> OutgoingChange
  {
    var state = states[palette] ?? PaletteState(palette)
    let bytes = try state.author(edit, by: node, at: Stamp(milliseconds: milliseconds))
    states[palette] = state
    return try append(bytes, palette)
  }

  /// Takes a change from elsewhere.
  func merge(_ change: ArrivedChange, in palette: PaletteID) -> (MergeResult, OutgoingChange?) {
    var state = states[palette] ?? PaletteState(palette)
    do throws(Refusal) {
      guard try state.merge(change.bytes.array) else { return (MergeResult(dot: change.dot), nil) }
      states[palette] = state
      return (MergeResult(dot: change.dot), try? append(change.bytes.array, palette))
    } catch {
      return (MergeResult(dot: change.dot, refusal: error), nil)
    }
  }

  /// Issues own changes after a number again under a new id, by replaying all the others.
  func reissue(_ node: NodeID, after sequence: UInt32, in palette: PaletteID, as fresh: NodeID)
    throws
  {
    let all = try (log[palette] ?? []).map {
      (try Change(decoding: $0.bytes.array, in: palette), $0.bytes.array)
    }
    let tail = all.map(\.0).filter { $0.dot.node == node && $0.dot.sequence > sequence }
    states[palette] = PaletteState(palette)
    log[palette] = []
    for (change, bytes) in all where !(change.dot.node == node && change.dot.sequence > sequence) {
      _ = merge(ArrivedChange(bytes: bytes, announcedAs: change.dot, in: palette), in: palette)
    }
    self.node = fresh
    ownNodes.insert(fresh)
    var dots: [Dot: Dot] = [:]
    for var change in tail {
      let head = frontier(of: palette)[fresh]
      let old = change.dot
      change.dot = Dot(fresh, (head?.sequence ?? 0) + 1)
      change.previous = head?.link ?? 0
      for index in change.writes.indices {
        change.writes[index].saw = renamed(change.writes[index].saw, dots, by: fresh, palette)
      }
      change.covers = renamed(change.covers, dots, by: fresh, palette)
      dots[old] = change.dot
      let result = merge(
        ArrivedChange(bytes: change.encoded, announcedAs: change.dot, in: palette),
        in: palette
      )
      precondition(result.0.refusal == nil)
    }
  }

  /// What was seen, by its new dots.
  private func renamed(
    _ seen: [SeenDot],
    _ dots: [Dot: Dot],
    by author: NodeID,
    _ palette: PaletteID
  ) -> [SeenDot] {
    let state = states[palette] ?? PaletteState(palette)
    return seen.map { seen in
      let dot = dots[seen.dot] ?? seen.dot
      return SeenDot(dot, by: author) { seen.proof ?? state.fact(of: $0).hash.proof }
    }.sorted { $0.dot < $1.dot }
  }

  /// What a disk image would keep.
  var image: (states: [PaletteID: PaletteState], log: [PaletteID: [OutgoingChange]]) {
    get { (states, log) }
    set { (states, log) = newValue }
  }

  private func append(_ bytes: [UInt8], _ palette: PaletteID) throws -> OutgoingChange {
    let change = try Change(decoding: bytes, in: palette)
    let outgoing = OutgoingChange(dot: change.dot, bytes: ChangeBytes(bytes))
    log[palette, default: []].append(outgoing)
    return outgoing
  }
}
