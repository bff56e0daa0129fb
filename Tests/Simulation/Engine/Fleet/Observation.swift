import PaletteMerge
import PaletteModel
import PaletteStore

/// The state that an author could see in a palette when it acted: the live values of the records it
/// touched, and the changes of others that it held.
///
/// It is what must be shown of the changes that the author's library holds, or in a large palette what
/// that library says to be live.
final class Observation {
  let palette: PaletteID
  /// The step whose action this is.
  let step: Int
  /// The view shown when the author acted, if it was computed.
  var view: Expectation?
  /// The frontier of all changes held then.
  var start: Frontier = [:]
  /// True if somebody edited a file: what that showed is what the changes say themselves.
  var isOfFile = false
  private(set) var live: [RecordID: [Register: Set<Dot>]] = [:]
  var frontier: [NodeID: UInt32] = [:]

  init(_ palette: PaletteID, step: Int) {
    self.palette = palette
    self.step = step
  }

  /// Notes what is live of a record, unless that was noted before.
  func look(at record: RecordID, _ writer: PaletteWriter) throws(StoreError) {
    guard live[record] == nil else { return }
    var registers: [Register: Set<Dot>] = [:]
    if let view {
      for value in view.live[record] ?? [] {
        registers[value.register, default: []].insert(value.dot)
      }
      live[record] = registers
      return
    }
    for value in try writer.state(of: record).values {
      registers[value.register, default: []].insert(value.dot)
    }
    live[record] = registers
  }

  /// Notes what is live of what the library's own authors say of themselves and of their actions, which edits
  /// may replace.
  func look(atNamesIn store: ChangeStore, _ writer: PaletteWriter) throws(StoreError) {
    for node in store.identities {
      try look(at: .author(node), writer)
      try look(at: .actions(of: node), writer)
    }
  }

  func look(at edits: [Edit], _ writer: PaletteWriter) throws(StoreError) {
    for edit in edits { try look(at: edit.record, writer) }
  }

  /// Adds what another attempt, from the same state, looked at.
  func join(_ other: Observation) {
    isOfFile = isOfFile || other.isOfFile
    live.merge(other.live) { own, _ in own }
    frontier.merge(other.frontier) { own, _ in own }
  }

  /// The values that a change of this action replaced, by register, as its author saw them; later
  /// changes of the action see this one.
  func replace(by change: Change) -> [Register: Set<Dot>] {
    var seen: [Register: Set<Dot>] = [:]
    if isOfFile {
      for write in change.writes { seen[write.register] = Set(write.saw.dots) }
      return seen
    }
    for write in change.writes {
      seen[write.register] = live[change.record]?[write.register] ?? []
      live[change.record, default: [:]][write.register] = [change.dot]
    }
    frontier[change.dot.node] = change.dot.sequence
    return seen
  }

  /// All that is live of the record that a change hides.
  func hidden(by change: Change) -> Set<Dot> {
    guard !isOfFile else { return Set(change.covers.dots) }
    return (live[change.record] ?? [:]).values.reduce(into: []) { $0.formUnion($1) }
  }
}
