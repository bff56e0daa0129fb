import PaletteModel
import PaletteStore

/// Knows every change that was made in a fleet and what its author saw, and so what must be left.
///
/// It shares nothing with the engine's merge: what follows from the changes is worked out anew, from
/// what authors saw when they acted, whatever the changes themselves claim to have seen.
struct Witness {
  private(set) var facts: [PaletteID: [Dot: Fact]] = [:]

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
      if let known = facts[palette]?[dot] {
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
        covered: isHiding ? observation.dots(of: change.record) : [],
        frontier: change.kind == .drop ? observation.frontier : [:]
      )
    }
  }

  /// Takes a change that a node issues again under a new id; its old dot may be gone.
  ///
  /// Nobody acts here, so what the change itself says to have seen is all there is to go by.
  mutating func adopt(
    _ bytes: [UInt8],
    _ change: Change,
    _ palette: PaletteID,
    by machine: Machine
  ) throws {
    let held = try machine.store?.frontier(of: palette) ?? [:]
    // The same values may have been written before; those that were taken back are not held any more.
    func isFormer(_ fact: Fact) -> Bool {
      !held.holds(fact.change.dot) && fact.change.record == change.record
        && fact.change.kind == change.kind
        && fact.change.writes.map(\.value) == change.writes.map(\.value)
        && machine.store?.isOwn(fact.change.dot.node) == true
    }
    // A copy of this library may have issued the same change again already, or have made one like it.
    func unlikelihood(_ fact: Fact) -> (Int, Int, Dot) {
      let dot = fact.change.dot
      let wasHeld = machine.held[palette]?[dot.node] ?? 0 >= dot.sequence
      return (fact.isLoose ? 1 : 0, wasHeld ? 0 : 1, dot)
    }
    let former = facts[palette]?.values.filter(isFormer).min {
      unlikelihood($0) < unlikelihood($1)
    }
    guard let former else {
      throw Violation("invented", "\(machine.name) issues \(change.dot), which nobody made")
    }
    loosen(former.change.dot, in: palette)
    facts[palette, default: [:]][change.dot] = Fact(
      bytes: bytes,
      change: change,
      machine: machine.index,
      step: former.step,
      seen: Dictionary(uniqueKeysWithValues: change.writes.map { ($0.register, Set($0.saw)) }),
      covered: Set(change.covers),
      frontier: Dictionary(uniqueKeysWithValues: change.frontier.map { ($0.node, $0.sequence) })
    )
  }

  /// Checks that what a machine took from others is what its author made.
  func check(_ bytes: [UInt8], _ dot: Dot, _ palette: PaletteID, at machine: String) throws {
    guard let fact = facts[palette]?[dot] else {
      throw Violation("invented", "\(machine) holds \(dot), which nobody made")
    }
    guard fact.bytes == bytes else {
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
      frontier[node] = Tip(sequence: sequence, link: link)
    }
    return frontier
  }

  /// Whether somebody ever brought a record back.
  func isRestored(_ record: RecordID, in palette: PaletteID) -> Bool {
    facts[palette]?.values.contains {
      $0.change.record == record && $0.change.kind == .restore
    } ?? false
  }

  /// Marks a change as one that may be gone.
  mutating func loosen(_ dot: Dot, in palette: PaletteID) {
    facts[palette]?[dot]?.isLoose = true
  }

  /// What must be left of a palette among machines that share it and hold all within a frontier.
  func expectation(
    of palette: PaletteID,
    among machines: [Machine],
    holding frontier: [NodeID: UInt32]
  ) throws -> Expectation {
    let authors = Set(machines.map(\.index))
    var held: [Fact] = []
    for (dot, fact) in facts[palette] ?? [:] {
      if frontier[dot.node] ?? 0 >= dot.sequence {
        held.append(fact)
      } else if !fact.isLoose, authors.contains(fact.machine) {
        throw Violation("lost", "\(dot) of step #\(fact.step) is held nowhere")
      }
    }
    return Expectation(palette, held)
  }
}
