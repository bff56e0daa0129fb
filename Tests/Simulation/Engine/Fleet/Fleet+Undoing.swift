import PaletteMerge
import PaletteModel
import PaletteStore

/// Users who undo and redo.
extension Fleet {
  /// Undo leads back to what was shown before each action, and redo to what was shown after it, where
  /// nothing else has happened in between; behind a new action there is nothing to redo.
  func checkWayBack(_ action: UserAction, _ machine: Machine, _ store: ChangeStore) throws {
    let key = Machine.WayKey(palette: action.palette, author: machine.actingAuthor)
    var way = machine.ways.removeValue(forKey: key)
    guard let before = action.observation.view?.list else { return }
    let (start, reached) = (action.observation.start, try store.frontier(of: action.palette))
    let after = try store.colors(of: action.palette).map { Machine.Way.Shown($0) }
    switch action.edit {
    case .undo, .redo:
      let isUndo = action.edit == .undo
      if !isUndo, way?.undone == 0, !machine.made.isEmpty, !machine.wasRolledBack {
        throw Violation(
          "wrong-way",
          "\(machine.name) redoes something behind a new action, step #\(step)"
        )
      }
      guard way?.reached == start, let wanted = way?.step(isUndo: isUndo) else { return }
      guard after == wanted else {
        throw Violation(
          "wrong-way",
          "\(machine.name) does not show what it did before by \(action.edit), step #\(step)"
        )
      }
      way?.reached = reached
      machine.ways[key] = way
    case .new, .title, .drop, .restorePalette, .compact, .resolve: break
    default:
      if way?.reached != start { way = nil }
      var next = way ?? Machine.Way(reached: reached)
      next.act(before.map { Machine.Way.Shown($0) }, after)
      next.reached = reached
      machine.ways[key] = next
    }
  }

  /// Undo and redo touch nothing that another library, or another author of this one, wrote; the author's
  /// name is no part of them, which it says again in passing where another one stands.
  func checkUndo(_ action: UserAction, _ changes: [Change], _ machine: Machine) throws {
    guard action.edit == .undo || action.edit == .redo, let store = machine.store,
      !witness.isRewritten(action.palette)
    else { return }
    for change in changes where change.record != .author(change.dot.node) {
      let fact = witness.facts[action.palette]?[change.dot]
      if action.edit == .undo, change.kind == .delete, let fact,
        !fact.covered.subtracting(
          witness.hiddenValues(of: change.record, in: action.palette, before: change.dot)
        ).allSatisfy({ store.isOwn($0.node, by: machine.actingAuthor) })
      {
        throw Violation(
          "undid-others",
          "\(machine.name) removed what someone else had edited, by undo in step #\(step)"
        )
      }
      for (register, seen) in fact?.seen ?? [:] where register != .place {
        guard seen.allSatisfy({ store.isOwn($0.node, by: machine.actingAuthor) }) else {
          throw Violation(
            "undid-others",
            "\(machine.name) replaced someone else's \(register) by \(action.edit), step #\(step)"
          )
        }
      }
    }
  }
}
