import PaletteMerge
import PaletteModel

/// The state that a palette must show, computed from all changes at once and what their authors
/// saw.
struct Expectation {
  struct Value: Hashable {
    let register: Register
    let dot: Dot
    let bytes: [UInt8]
    let isCovered: Bool
  }

  /// A color of the list, as it must be shown.
  struct Listed: Equatable {
    let id: RecordID
    let place: [UInt8]
    let shown: [Register: [UInt8]]
    let conflicts: [Register]
  }

  /// The live values of each record that has some.
  private(set) var live: [RecordID: Set<Value>] = [:]
  private(set) var list: [Listed] = []
  private(set) var isVisible = false
  private(set) var steps: [Dot: Int] = [:]
  private var stamps: [Dot: Stamp] = [:]

  /// Works it out.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - facts: The changes that count.
  ///   - held: How far everybody's changes are held: what a drop saw counts once it is there.
  init(_ palette: PaletteID, _ facts: [Fact], holding held: [NodeID: UInt32]) {
    var replaced: [RecordID: [Register: Set<Dot>]] = [:]
    var covered: [RecordID: Set<Dot>] = [:]
    var dropped: [NodeID: UInt32] = [:]
    for fact in facts {
      let change = fact.change
      stamps[change.dot] = change.stamp
      steps[change.dot] = fact.step
      for (register, dots) in fact.seen {
        replaced[change.record, default: [:]][register, default: []].formUnion(dots)
      }
      covered[change.record, default: []].formUnion(fact.covered)
      for (node, sequence) in fact.frontier where held[node] ?? 0 >= sequence {
        dropped[node] = max(dropped[node] ?? 0, sequence)
      }
    }
    for fact in facts {
      let change = fact.change
      if change.kind.writesRegisters, change.dot.sequence > dropped[change.dot.node] ?? 0 {
        isVisible = true
      }
      for write in change.writes
      where replaced[change.record]?[write.register]?.contains(change.dot) != true {
        live[change.record, default: []].insert(
          Value(
            register: write.register,
            dot: change.dot,
            bytes: write.value.encoded,
            isCovered: covered[change.record]?.contains(change.dot) == true
          )
        )
      }
    }
    list = live.filter { $0.key != palette.record }.compactMap { listed($0.key, $0.value) }
      .sorted { left, right in
        left.place == right.place
          ? left.id < right.id : left.place.lexicographicallyPrecedes(right.place)
      }
  }

  private func listed(_ id: RecordID, _ values: Set<Value>) -> Listed? {
    guard values.contains(where: { !$0.isCovered }) else { return nil }
    var shown: [Register: [UInt8]] = [:]
    var conflicts: [Register] = []
    for (register, rivals) in Dictionary(grouping: values, by: \.register) {
      shown[register] = rivals.max { precedes($0.dot, $1.dot) }?.bytes
      if register != .place, Set(rivals.map(\.bytes)).count > 1 { conflicts.append(register) }
    }
    guard shown[.name] != nil, shown[.color] != nil, let place = shown[.place],
      let bytes = RegisterValue(encoded: place).placeBytes
    else { return nil }
    return Listed(id: id, place: bytes, shown: shown, conflicts: conflicts.sorted())
  }

  /// The order of concurrent values: by stamp, then node, then number.
  private func precedes(_ left: Dot, _ right: Dot) -> Bool {
    let (first, second) = (stamps[left]?.rawValue ?? 0, stamps[right]?.rawValue ?? 0)
    return (first, left.node.rawValue, left.sequence) < (
      second, right.node.rawValue, right.sequence
    )
  }
}
