import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// Checks that parts read one after another make up the whole.
extension Fleet {
  /// Lists of palettes, page by page and by name, are the palettes there are.
  func checkLists(_ machine: Machine) throws {
    guard let store = machine.store else { return }
    let all = try store.palettes()
    for listing in [PaletteListing.listed, .dropped] {
      let wanted = all.filter { $0.isDropped == (listing == .dropped) && !$0.name.isEmpty }
        .sorted { one, other in
          if one.name.utf8.elementsEqual(other.name.utf8) { return one.id < other.id }
          return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
      var found: [PaletteSummary] = []
      while let page = try store.palettePage(listing, after: found.last.map(\.id), limit: 3) {
        found += page.palettes
        if !page.hasMore { break }
      }
      guard found.map(\.id) == wanted.map(\.id) else {
        throw Violation("wrong-page", "\(machine.name) has other palettes on its pages")
      }
      if listing == .listed { try checkNames(of: wanted, machine) }
      for palette in wanted.prefix(3) {
        let id = palette.id.record
        let found = try store.palettes(in: id...id, listing, limit: 1)
        guard found.palettes.map(\.id) == [palette.id], found.count == 1,
          try store.palettes(named: palette.name, listing, limit: 1).count
            == wanted.count(where: { $0.name == palette.name })
        else { throw Violation("wrong-page", "\(machine.name) does not find \(palette.name)") }
      }
    }
  }

  private func checkNames(of listed: [PaletteSummary], _ machine: Machine) throws {
    guard let store = machine.store else { return }
    var names: [String] = []
    try store.forEachName {
      names.append($0)
      return true
    }
    let disputed = listed.filter { $0.conflicts > 0 }.map(\.id)
    guard names == listed.map(\.name), try store.palettesInConflict().map(\.id) == disputed else {
      throw Violation("wrong-page", "\(machine.name) tells other names or conflicts than it lists")
    }
  }

  /// Nobody who watches is shown a node id that he could claim.
  func checkShown(_ palette: PaletteID, _ machine: Machine) throws {
    guard let core = machine.core, let store = machine.store else { return }
    for view in core.presence.views(of: palette) where core.shown(view.who) == view.who {
      let node = view.who.node
      guard !store.isOwn(node), try store.bindings.library(of: node) == nil,
        !machine.held.values.contains(where: { $0[node] ?? 0 > 0 }),
        try store.bindings.claim([node], for: RecordID(high: 0xBAD, low: 0)) == [node]
      else { continue }
      throw Violation("leaked", "\(machine.name) shows \(node), which anybody could claim there")
    }
  }

  /// Neighbours see what somebody looks at now, and nobody sees what anybody looked at before.
  func checkEnds() throws {
    guard !jumps else { return }
    let present = machines.filter { $0.isRunning && !$0.hasCopies && !$0.hasRecovered }
    for edge in edges where mayLeadOn(edge) {
      try checkLooks(of: machines[edge.dialer], at: machines[edge.hub], edge)
      try checkLooks(of: machines[edge.hub], at: machines[edge.dialer], edge)
    }
    let palettes = script.palettes.map(Script.palette)
    for machine in present {
      for palette in palettes {
        for view in machine.core?.presence.views(of: palette) ?? []
        where !present.contains(where: { $0.name == view.name && $0.looksAt == palette })
          && present.contains(where: { $0.name == view.name })
        {
          throw Violation("stale-look", "\(machine.name) shows \(view.name) at \(palette)")
        }
      }
    }
  }

  private func checkLooks(of one: Machine, at other: Machine, _ edge: Script.Edge) throws {
    guard let palette = one.looksAt, !one.hasCopies, !one.hasRecovered,
      edge.palette.map({ Script.palette($0) == palette }) ?? true,
      other.core?.presence.views(of: palette).contains(where: { $0.name == one.name }) == false
    else { return }
    throw Violation("unseen-look", "\(other.name) does not show \(one.name) at \(palette)")
  }

  /// The newest changes are those of the whole history, in its order.
  func checkHistory(_ palette: PaletteID, _ machine: Machine) throws {
    guard let store = machine.store else { return }
    let all = try store.history(of: palette).map(\.dot)
    guard all.count <= Self.viewLimit else { return }
    var held: Set<Dot> = []
    try store.forEachChange(of: palette) { _, bytes in
      if let dot = try? Change(decoding: bytes, in: palette).dot { held.insert(dot) }
    }
    let newest = try store.history(of: palette, limit: 5)
    let last = newest.last
    let further = last == nil ? [] : try store.history(of: palette, limit: 40, before: last)
    guard Set(all) == held, all.count == held.count,
      (newest + further).map(\.dot) == Array(all.prefix(newest.count + further.count)),
      newest.count == min(5, all.count), further.count == min(40, all.count - newest.count),
      try newest.allSatisfy({ try store.change($0.dot, of: palette) == $0 })
    else {
      throw Violation("wrong-history", "\(machine.name) has another history in parts")
    }
  }
}
