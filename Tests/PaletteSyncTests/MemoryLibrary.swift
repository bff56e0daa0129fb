import PaletteModel
import PaletteSync

/// A library of pure states, for sessions under test.
final class MemoryLibrary: SyncLibrary {
  var node: NodeID
  var ownNodes: Set<NodeID>
  var states: [PaletteID: PaletteState] = [:]
  /// Every change in the order in which it was taken.
  var log: [PaletteID: [OutgoingChange]] = [:]
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
    log[palette]?.first { $0.dot == dot }?.link
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

  func snapshot(of palette: PaletteID) -> Snapshot? { states[palette]?.snapshot }

  func outline(of palette: PaletteID) -> SnapshotOutline? {
    try? snapshot(of: palette)?.outline(in: palette)
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
      guard bytes.withUnsafeBytes(body) else { return true }
    }
    return true
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
  func merge(_ change: IncomingChange, in palette: PaletteID) -> (MergeResult, OutgoingChange?) {
    var state = states[palette] ?? PaletteState(palette)
    do throws(Refusal) {
      guard try state.merge(change.bytes) else { return (MergeResult(dot: change.dot), nil) }
      states[palette] = state
      return (MergeResult(dot: change.dot), try? append(change.bytes, palette))
    } catch {
      return (MergeResult(dot: change.dot, refusal: error), nil)
    }
  }

  private func append(_ bytes: [UInt8], _ palette: PaletteID) throws -> OutgoingChange {
    let change = try Change(decoding: bytes, in: palette)
    let link = ChangeHash(of: bytes, in: palette).link
    let outgoing = OutgoingChange(dot: change.dot, link: link, bytes: bytes)
    log[palette, default: []].append(outgoing)
    return outgoing
  }
}
