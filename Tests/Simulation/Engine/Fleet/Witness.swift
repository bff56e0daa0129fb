import PaletteMerge
import PaletteModel
import PaletteStore

/// Knows every change that was made in a fleet and what its author saw, and so what must be left.
///
/// It shares nothing with the engine's merge: what follows from the changes is worked out anew, from
/// what authors saw when they acted, whatever the changes themselves claim to have seen.
struct Witness {
  private(set) var facts: [PaletteID: [Dot: Fact]] = [:]
  /// Under which dots changes were issued again.
  private var issuedAgain: [PaletteID: [Dot: Set<Dot>]] = [:]
  /// The facts made under numbers that were used again, in palettes where that happened: there a
  /// number does not identify its change, and only what was written is compared.
  private var rewritten: [PaletteID: [Fact]] = [:]

  /// Takes what an author made in one action.
  mutating func record(
    _ made: [(bytes: [UInt8], dot: Dot)],
    _ observation: Observation,
    by machine: Machine
  ) throws {
    let palette = observation.palette
    for (bytes, dot) in made {
      guard let change = try? Change(decoding: bytes, in: palette), change.dot == dot else {
        throw Violation("unreadable", "\(machine.name) made a change that it cannot read: \(dot)")
      }
      if let known = facts[palette]?[dot], machine.wasRolledBack {
        rewritten[palette, default: []].append(known)
      } else if let known = facts[palette]?[dot] {
        throw Violation(
          "dot-reused",
          "\(machine.name) made \(dot) in step #\(observation.step), which is from step #\(known.step)"
        )
      }
      let isHiding = !change.kind.writesRegisters
      facts[palette, default: [:]][dot] = Fact(
        bytes: bytes,
        change: change,
        machine: machine.index,
        step: observation.step,
        seen: observation.replace(by: change),
        covered: isHiding ? observation.hidden(by: change) : [],
        frontier: change.kind == .drop ? observation.frontier : [:]
      )
    }
  }

  /// Takes a change whose author says to have seen what others had not made: it saw nothing but its author's
  /// own, which a drop hides, and it may be refused.
  mutating func foresaw(_ bytes: [UInt8], in palette: PaletteID, by machine: Int) throws -> Dot {
    guard var change = try? Change(decoding: bytes, in: palette) else {
      throw Violation("unreadable", "a liar made a change that nobody can read")
    }
    change.covers = []
    change.frontier = []
    for index in change.writes.indices { change.writes[index].saw = [] }
    facts[palette, default: [:]][change.dot] = Fact(
      bytes: bytes,
      change: change,
      machine: machine,
      step: 0,
      seen: [:],
      covered: [],
      frontier: change.kind == .drop ? [change.dot.node: change.dot.sequence] : [:],
      isLoose: true
    )
    return change.dot
  }

  /// Takes a change that a node issues again under a new id; its old dot may be gone.
  ///
  /// Nobody acts here: it may not replace more than it did the first time.
  mutating func adopt(
    _ bytes: [UInt8],
    _ change: Change,
    _ palette: PaletteID,
    by machine: Machine
  ) throws {
    if let known = facts[palette]?[change.dot], machine.wasRolledBack {
      rewritten[palette, default: []].append(known)
    }
    if isRewritten(palette) { return try adoptValues(bytes, change, palette, by: machine) }
    let held = try machine.store?.frontier(of: palette) ?? [:]
    // The same values may have been written before; those that were taken back are not held any more.
    func isFormer(_ fact: Fact) -> Bool {
      !held.holds(fact.change.dot) && fact.change.record == change.record
        && fact.change.kind == change.kind
        && fact.change.writes.map(\.value) == change.writes.map(\.value)
        && machine.store?.isOwn(fact.change.dot.node) == true
    }
    // A copy of this library may have issued the same change again already, or have made one like it.
    // And whoever edits through this library may have made one like it: each keeps its own.
    let author = machine.store?.author(of: change.dot.node)
    let said = Set((change.covers + change.writes.flatMap(\.saw)).dots)
    func unlikelihood(_ fact: Fact) -> (Int, Int, Int, Int, Dot) {
      let dot = fact.change.dot
      // Of two that look alike, the later one covered or replaced more.
      let unknown = fact.covered.union(fact.seen.values.joined()).count {
        withSuccessors([$0], palette).isDisjoint(with: said)
      }
      let wasHeld = machine.held[palette]?[dot.node] ?? 0 >= dot.sequence
      let isOwn = machine.store?.author(of: dot.node) == author
      return (unknown, fact.isLoose ? 1 : 0, isOwn ? 0 : 1, wasHeld ? 0 : 1, dot)
    }
    let likely = (facts[palette] ?? [:]).values.filter(isFormer).sorted {
      unlikelihood($0) < unlikelihood($1)
    }
    guard let first = likely.first else {
      if isRestatement(change, palette, by: machine, held) {
        return restate(bytes, change, palette, by: machine)
      }
      throw Violation("invented", "\(machine.name) issues \(change.dot), which nobody made")
    }
    guard let former = likely.first(where: { replacedUnseen(by: change, $0, palette) == nil })
    else {
      if isRestatement(change, palette, by: machine, held) {
        return restate(bytes, change, palette, by: machine)
      }
      let dot = replacedUnseen(by: change, first, palette).map { "\($0)" } ?? "something"
      throw Violation(
        "unseen-replaced",
        "\(machine.name) issues \(first.change.dot) of step #\(first.step) again as \(change.dot), "
          + "which replaces \(dot) that its author had not seen"
      )
    }
    // Of several that look alike nobody can tell which one it was; and a copy of the library may hold on
    // to what this one takes back, of which nothing can be said.
    let isCertain = likely.count == 1 && !machine.hasCopies
    // What was taken back is gone, and if it comes from a backup it was never hidden under its old number.
    func hides(_ dots: Set<Dot>) -> Set<Dot> {
      withSuccessors(dots, palette).filter {
        issuedAgain[palette]?[$0] == nil || said.contains($0)
      }
    }
    issuedAgain[palette, default: [:]][former.change.dot, default: []].insert(change.dot)
    loosen(former.change.dot, in: palette)
    facts[palette, default: [:]][change.dot] = Fact(
      bytes: bytes,
      change: change,
      machine: machine.index,
      step: former.step,
      seen: isCertain
        ? former.seen.mapValues(hides)
        : Dictionary(uniqueKeysWithValues: change.writes.map { ($0.register, Set($0.saw.dots)) }),
      covered: isCertain ? hides(former.covered) : Set(change.covers.dots),
      frontier: change.frontierNumbers
    )
  }

  /// Takes a change that is issued again in a palette where numbers say nothing.
  private mutating func adoptValues(
    _ bytes: [UInt8],
    _ change: Change,
    _ palette: PaletteID,
    by machine: Machine
  ) throws {
    func isFormer(_ fact: Fact) -> Bool {
      fact.change.record == change.record && fact.change.kind == change.kind
        && fact.change.writes.map(\.value) == change.writes.map(\.value)
    }
    let known = Array((facts[palette] ?? [:]).values) + (rewritten[palette] ?? [])
    guard let former = known.filter(isFormer).min(by: { $0.change.dot < $1.change.dot }) else {
      // Here only what was written is looked at.
      let values = known.filter { $0.change.record == change.record }.flatMap(\.change.writes)
      let isWritten = change.writes.allSatisfy { write in
        values.contains { $0.register == write.register && $0.value == write.value }
      }
      if !change.writes.isEmpty, isWritten {
        return restate(bytes, change, palette, by: machine)
      }
      throw Violation("invented", "\(machine.name) issues \(change.dot), which nobody made")
    }
    facts[palette, default: [:]][change.dot] = Fact(
      bytes: bytes,
      change: change,
      machine: machine.index,
      step: former.step,
      seen: Dictionary(uniqueKeysWithValues: change.writes.map { ($0.register, Set($0.saw.dots)) }),
      covered: Set(change.covers.dots),
      frontier: change.frontierNumbers
    )
  }

  /// Returns whether a change says again what others did that are held, some under former ids of
  /// its author's.
  ///
  /// It replaces what one of them replaced, or the very value that it writes; it covers what one of them
  /// covered, or what says again what was covered.
  private func isRestatement(
    _ change: Change,
    _ palette: PaletteID,
    by machine: Machine,
    _ held: Frontier
  ) -> Bool {
    let all = facts[palette] ?? [:]
    let known = all.values.filter { held.holds($0.change.dot) }
    if change.kind == .drop {
      var dropped: [NodeID: UInt32] = [:]
      for fact in known { dropped.merge(fact.frontier) { max($0, $1) } }
      return known.allSatisfy {
        !$0.change.kind.writesRegisters || $0.isRestatement
          || dropped[$0.change.dot.node] ?? 0 >= $0.change.dot.sequence
      }
    }
    let others = known.filter { $0.change.record == change.record }
    // Who speaks under an id for the first time says his name.
    if change.record == RecordID.author(change.dot.node), others.isEmpty {
      return change.kind.writesRegisters && change.writes.allSatisfy { $0.register == .name }
    }
    guard let store = machine.store,
      others.contains(where: {
        store.isOwn($0.change.dot.node) && !store.isPresent($0.change.dot.node)
      })
    else { return false }
    for write in change.writes {
      func isSame(_ dot: Dot) -> Bool {
        all[dot]?.change.writes.contains {
          $0.register == write.register && $0.value == write.value
        } ?? false
      }
      let replaced = Set(others.flatMap { $0.seen[write.register] ?? [] })
      guard write.saw.dots.contains(where: isSame),
        write.saw.dots.allSatisfy({ replaced.contains($0) || isSame($0) })
      else { return false }
    }
    let covered = Set(others.flatMap(\.covered))
    return change.covers.dots.allSatisfy { dot in
      if covered.contains(dot) { return true }
      guard let fact = all[dot], fact.isRestatement else { return false }
      return fact.change.writes.allSatisfy { !covered.isDisjoint(with: $0.saw.dots) }
    }
  }

  private mutating func restate(
    _ bytes: [UInt8],
    _ change: Change,
    _ palette: PaletteID,
    by machine: Machine
  ) {
    facts[palette, default: [:]][change.dot] = Fact(
      bytes: bytes,
      change: change,
      machine: machine.index,
      step: 0,
      seen: Dictionary(uniqueKeysWithValues: change.writes.map { ($0.register, Set($0.saw.dots)) }),
      covered: Set(change.covers.dots),
      frontier: change.frontierNumbers,
      isRestatement: true
    )
  }

  /// Returns whether somebody used numbers again in a palette.
  func isRewritten(_ palette: PaletteID) -> Bool { rewritten[palette] != nil }

  /// The palettes where somebody did.
  var rewrittenPalettes: some Collection<PaletteID> { rewritten.keys }

  /// Returns whether these bytes were made under this number.
  func knows(_ bytes: [UInt8], _ dot: Dot, _ palette: PaletteID) -> Bool {
    facts[palette]?[dot]?.bytes == bytes
      || (rewritten[palette] ?? []).contains { $0.change.dot == dot && $0.bytes == bytes }
  }

  /// Of what was written where numbers were used again, any part may be gone.
  mutating func loosenAllRewritten(in palette: PaletteID) {
    guard isRewritten(palette) else { return }
    for dot in (facts[palette] ?? [:]).keys { loosen(dot, in: palette) }
    for index in (rewritten[palette] ?? []).indices { rewritten[palette]?[index].isLoose = true }
  }

  /// Checks that changes are still found under one or the other number where numbers were used
  /// again.
  func checkValuesKept(_ palette: PaletteID, in histories: [[Change]]) throws {
    struct Written: Hashable {
      let record: RecordID
      let register: Register
      let value: [UInt8]
    }
    var kept: Set<Written> = []
    for change in histories.joined() {
      for write in change.writes {
        kept.insert(
          Written(record: change.record, register: write.register, value: write.value.encoded)
        )
      }
    }
    let all = Array((facts[palette] ?? [:]).values) + (rewritten[palette] ?? [])
    for fact in all.sorted(by: { $0.change.dot < $1.change.dot }) where !fact.isLoose {
      for write in fact.change.writes
      where !kept.contains(
        Written(
          record: fact.change.record,
          register: write.register,
          value: write.value.encoded
        )
      ) {
        throw Violation(
          "lost",
          "\(write.register) of \(fact.change.dot), step #\(fact.step), is in nobody's history"
        )
      }
    }
  }

  /// The values that a change issued again replaces, and its author had not seen.
  private func replacedUnseen(by change: Change, _ former: Fact, _ palette: PaletteID) -> Dot? {
    var unseen: Set<Dot> = []
    for write in change.writes {
      let seen = withSuccessors(former.seen[write.register] ?? [], palette)
      unseen.formUnion(Set(write.saw.dots).subtracting(seen))
    }
    unseen.formUnion(Set(change.covers.dots).subtracting(withSuccessors(former.covered, palette)))
    return unseen.min()
  }

  /// Dots, and those under which their changes were issued again.
  private func withSuccessors(_ dots: Set<Dot>, _ palette: PaletteID) -> Set<Dot> {
    var (known, new) = (dots, dots)
    while !new.isEmpty {
      var next: Set<Dot> = []
      for dot in new { next.formUnion(issuedAgain[palette]?[dot] ?? []) }
      new = next.subtracting(known)
      known.formUnion(new)
    }
    return known
  }

  /// Checks that what a machine took from others is what its author made.
  func check(_ bytes: [UInt8], _ dot: Dot, _ palette: PaletteID, at machine: String) throws {
    guard let fact = facts[palette]?[dot] else {
      throw Violation("invented", "\(machine) holds \(dot), which nobody made")
    }
    guard fact.bytes == bytes || knows(bytes, dot, palette) else {
      throw Violation("forged", "\(machine) holds \(dot) with other bytes than were made")
    }
  }

  /// The highest number that each author used in a palette.
  func highest(in palette: PaletteID) -> [NodeID: UInt32] {
    (facts[palette] ?? [:]).keys.reduce(into: [:]) {
      $0[$1.node] = max($0[$1.node] ?? 0, $1.sequence)
    }
  }

  /// The newest change of each author in a palette, as a frontier states it.
  func frontier(of palette: PaletteID) -> Frontier {
    var frontier: Frontier = [:]
    for (node, sequence) in highest(in: palette) {
      guard let bytes = facts[palette]?[Dot(node, sequence)]?.bytes else { continue }
      let link = ChangeHash(of: bytes, in: palette).link
      frontier[node] = StreamHead(sequence: sequence, link: link)
    }
    return frontier
  }

  /// The values of a record that were hidden when somebody brought it back: whoever takes that back
  /// hides them again.
  func hiddenValues(of record: RecordID, in palette: PaletteID, before dot: Dot) -> Set<Dot> {
    var hidden: Set<Dot> = []
    for fact in (facts[palette] ?? [:]).values
    where fact.change.record == record && fact.change.kind == .delete && fact.change.dot != dot {
      hidden.formUnion(fact.covered)
    }
    return hidden
  }

  /// Marks a change as one that may be gone.
  mutating func loosen(_ dot: Dot, in palette: PaletteID) {
    facts[palette]?[dot]?.isLoose = true
  }

  /// The state that a palette must show if all changes within a frontier are held.
  func expectation(of palette: PaletteID, holding frontier: [NodeID: UInt32]) -> Expectation {
    let held = (facts[palette] ?? [:]).filter { frontier[$0.key.node] ?? 0 >= $0.key.sequence }
    return Expectation(palette, Array(held.values), holding: frontier)
  }

  /// Nothing that was made is gone everywhere.
  func checkKept(_ palette: PaletteID, by machines: [Machine]) throws {
    let frontiers = try machines.compactMap {
      try $0.store?.frontier(of: palette).mapValues(\.sequence)
    }
    for (dot, fact) in facts[palette] ?? [:] where !fact.isLoose {
      if !frontiers.contains(where: { $0[dot.node] ?? 0 >= dot.sequence }) {
        throw Violation("lost", "\(dot) of step #\(fact.step) is held nowhere")
      }
    }
  }
}

extension Change {
  /// The reach that a drop claims.
  fileprivate var frontierNumbers: [NodeID: UInt32] {
    Dictionary(uniqueKeysWithValues: frontier.dots.map { ($0.node, $0.sequence) })
  }
}
