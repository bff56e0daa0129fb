import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel

extension TextRenderer {
  /// What was done in a palette, newest first.
  private func actions(_ actions: [Received<ActionAnswer>]) -> String {
    guard isTerminal else {
      return lines(actions) { action in
        [action.time, action.kind.text, action.summary, action.action].map(plain)
          + [author(action.author, action.isNamesake)]
      }
    }
    guard !actions.isEmpty else { return "Nothing was done yet\n" }
    return table(["WHEN", "BY", "WHAT", ""], details: ["ACTION"], of: actions) { action in
      let undone = action.isUndone ? " (undone)" : ""
      return [
        Cell(whole: ago(action.time)),
        Cell(author(action.author, action.isNamesake), limit: 30),
        Cell(plain(action.summary) + undone, limit: 100), patches(action.colors),
        Cell(plain(action.action)),
      ]
    }
  }

  /// The colors of an action side by side.
  private func patches(_ hexes: [String]) -> Cell {
    let patches = hexes.map { Swatch.patch($0, width: 2, depth: presentation.depth) }
    guard patches.contains(where: { !$0.isEmpty }) else { return Cell("") }
    return Cell(styled: patches.joined(), width: 2 * patches.count)
  }

  /// The changes of a palette, newest first.
  func history(_ history: Received<HistoryPage>) -> String {
    if let actions = history.actions { return self.actions(actions) }
    let changes = history.changes
    guard isTerminal else {
      return lines(changes) { change in
        [change.time, change.kind, change.id, change.dot].map(plain)
          + [plain(change.registers), author(change.author, change.isNamesake)]
      }
    }
    guard !changes.isEmpty else { return "No changes\n" }
    let header = ["WHEN", "BY", "KIND", "COLOR", "", "WHAT"]
    return table(header, details: ["ID", "NODE"], of: changes) { change in
      [
        Cell(whole: ago(change.time)),
        Cell(author(change.author, change.isNamesake), limit: 30),
        Cell(plain(change.kind)), Cell(plain(change.name), limit: 30),
        patch(change.color), Cell(registers(change.registers), limit: 80),
        Cell(plain(change.id)), Cell(plain(change.node)),
      ]
    }
  }

  /// What the author of a change or an action says to be called, and whether another library used that name first.
  private func author(_ name: String, _ isNamesake: Bool) -> String {
    plain(name) + (isNamesake ? " (namesake)" : "")
  }

  /// The registers that a change set; a place is a key that only says that the color moved.
  private func registers(_ document: JSON) -> String {
    document.keys.map { key in
      switch key {
      case "place": "place"
      case "color": Self.readable(plain(document[key]))
      default: "\(key) \(plain(document[key]))"
      }
    }.joined(separator: ", ")
  }

  /// The time since a stamp; nothing if it is none.
  func ago(stamp: String) -> String {
    guard stamp.utf8.count == 16, let milliseconds = Int64(stamp.prefix(12), radix: 16) else {
      return ""
    }
    return Ago.text(Moment(milliseconds: milliseconds).description, now: presentation.now)
  }

  /// A patch of a color in CSS; nothing for anything else, and where there are no patches.
  func patch(_ css: String?) -> Cell {
    let hex = css.flatMap { try? Color($0).hex }
    let patch = Swatch.patch(hex, width: 4, depth: presentation.depth)
    return patch.isEmpty ? Cell("") : Cell(styled: patch, width: 4)
  }

  /// The values that were written concurrently.
  func conflicts(_ conflicts: [Received<ConflictAnswer>]) -> String {
    guard isTerminal else { return conflicts.flatMap(conflictFields).joined() }
    guard !conflicts.isEmpty else { return "No conflicts\n" }
    var table = TextTable(
      header: ["NAME", "REGISTER", "", "VALUE", "", "BY", "WHEN"],
      details: ["NODE", "ID", "PALETTE"]
    )
    for conflict in conflicts {
      for (index, value) in conflict.values.enumerated() {
        let isFirst = index == 0
        table.append([
          Cell(isFirst ? plain(conflict.name) : ""),
          Cell(isFirst ? plain(conflict.register) : ""),
          conflict.isOfColor ? patch(value.value) : Cell(""),
          Cell(conflict.isOfColor ? Self.readable(plain(value.value)) : plain(value.value)),
          Cell(value.isShown ? "shown" : ""),
          Cell(plain(value.author), limit: 30), Cell(whole: ago(stamp: value.stamp)),
          Cell(plain(value.node)),
          Cell(isFirst ? plain(conflict.id) : ""),
          Cell(isFirst ? plain(conflict.palette) : ""),
        ])
      }
    }
    return table.text(presentation)
      + paragraph("Settle one with: hued resolve PALETTE COLOR, which asks for the value to keep")
  }

  private func conflictFields(_ conflict: Received<ConflictAnswer>) -> [String] {
    conflict.values.map { value in
      fields(
        [
          conflict.palette, conflict.id, conflict.register, value.value, value.node, value.stamp,
        ].map(plain) + [value.isShown ? "shown" : "sibling", plain(value.author)]
      )
    }
  }
}
