import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// The checks of the past, and of figures that are counted along the way.
extension Fleet {
  /// Checks a machine's answers about past times against the changes that it holds and that existed
  /// then.
  func checkPast(_ palette: PaletteID, _ machine: Machine) throws {
    guard let store = machine.store, let facts = witness.facts[palette],
      facts.count <= Self.viewLimit
    else { return }
    let since = try store.historySince(of: palette)
    guard since == nil || isTimeCertain else { return }
    let held = try store.frontier(of: palette).mapValues(\.sequence)
    let all = facts.values.filter { held[$0.change.dot.node] ?? 0 >= $0.change.dot.sequence }
    let times = all.map(\.change.stamp.milliseconds).sorted()
    for part in 1...3 where !times.isEmpty {
      let time = times[times.count * part / 4]
      guard case .known(let state) = try store.state(of: palette, atMilliseconds: time) else {
        continue
      }
      let past = all.filter { $0.change.stamp.milliseconds <= time }
      let then = Expectation(palette, past, holding: held)
      try check(state, then, "\(machine.name) at \(time)", isWhole: since == nil)
    }
  }

  /// True if what is forgotten was said before any time that can be asked for, by everybody's
  /// clock.
  private var isTimeCertain: Bool {
    !jumps && liars.isEmpty && machines.allSatisfy { $0.skewMilliseconds == 0 }
  }

  /// True if any clock jumps.
  var jumps: Bool {
    script.steps.contains { if case .fault(.clockJump) = $0.event { true } else { false } }
  }

  private func check(
    _ state: PaletteState,
    _ then: Expectation,
    _ who: String,
    isWhole: Bool
  ) throws {
    // Of values that were replaced at the same time, the forgotten change may have been the first.
    let isListed =
      isWhole
      ? state.listed == then.list.map(\.id) : Set(state.listed) == Set(then.list.map(\.id))
    guard state.isVisible == then.isVisible, isListed else {
      throw Violation("wrong-past", "\(who) tells of other colors, or in another order")
    }
    guard isWhole else { return }
    for color in then.list {
      let isSame = color.shown.allSatisfy {
        state.shown($0.key, of: color.id)?.encoded == $0.value
      }
      guard isSame, state.conflicts(of: color.id) == color.conflicts else {
        throw Violation("wrong-past", "\(who) tells other values of \(color.id)")
      }
    }
  }

  /// Checks that figures counted along the way equal those counted anew.
  func checkTally(_ machine: Machine) throws {
    guard let store = machine.store else { return }
    let peers = try store.peers.all()
    let tally = try store.pendingChanges(at: peers)
    var (atPeers, inPalettes) = ([String: Int](), [PaletteID: Int]())
    for palette in machine.held.keys {
      let one = try store.pendingChanges(at: peers, of: palette)
      atPeers.merge(one.atPeers) { $0 + $1 }
      inPalettes.merge(one.inPalettes) { $1 }
    }
    guard atPeers.allSatisfy({ tally.atPeers[$0.key] ?? 0 == $0.value }),
      inPalettes == tally.inPalettes
    else {
      throw Violation(
        "false-pending",
        "\(machine.name) has counted \(tally.inPalettes) pending, and there are \(inPalettes)"
      )
    }
  }
}
