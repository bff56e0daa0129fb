import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel

extension TextRenderer {
  /// What was done in a palette, newest first.
  func actions(_ document: JSON?) -> String {
    let actions = document["actions"].arrayValue ?? []
    guard isTerminal else {
      return actions.map { action in
        let texts = ["time", "kind", "summary", "action"].map { plain(action[$0]) }
        return fields(texts + [author(of: action)])
      }.joined()
    }
    var table = TextTable(header: ["WHEN", "BY", "WHAT", ""], details: ["ACTION"])
    for action in actions {
      let undone = action["undone"].boolValue == true ? " (undone)" : ""
      table.append([
        Cell(whole: ago(action["time"])), Cell(author(of: action), limit: 30),
        Cell(plain(action["summary"]) + undone, limit: 100), patches(action["colors"]),
        Cell(plain(action["action"])),
      ])
    }
    return actions.isEmpty ? "Nothing was done yet\n" : table.text(presentation)
  }

  /// The colors of an action side by side.
  private func patches(_ colors: JSON?) -> Cell {
    let hexes = (colors.arrayValue ?? []).compactMap { $0["hex"].stringValue }
    let patches = hexes.map { Swatch.patch($0, width: 2, depth: presentation.depth) }
    guard patches.contains(where: { !$0.isEmpty }) else { return Cell("") }
    return Cell(styled: patches.joined(), width: 2 * patches.count)
  }

  /// The changes of a palette, newest first.
  func history(_ document: JSON?) -> String {
    guard document["actions"].isNull else { return actions(document) }
    let changes = document["changes"].arrayValue ?? []
    guard isTerminal else {
      return changes.map { change in
        let texts = ["time", "kind", "id", "dot", "registers"].map { plain(change[$0]) }
        return fields(texts + [author(of: change)])
      }.joined()
    }
    var table = TextTable(
      header: ["WHEN", "BY", "KIND", "COLOR", "", "WHAT"],
      details: ["ID", "NODE"]
    )
    for change in changes {
      table.append([
        Cell(whole: ago(change["time"])), Cell(author(of: change), limit: 30),
        Cell(plain(change["kind"])), Cell(plain(change["name"]), limit: 30),
        patch(change["registers"]["color"]), Cell(registers(change["registers"]), limit: 80),
        Cell(plain(change["id"])), Cell(plain(change["node"])),
      ])
    }
    return changes.isEmpty ? "No changes\n" : table.text(presentation)
  }

  /// What the author of a change or an action says to be called, and whether another library used that name first.
  private func author(of entry: JSON) -> String {
    plain(entry["author"]) + (entry["namesake"].boolValue == true ? " (namesake)" : "")
  }

  /// The registers that a change set; a place is a key that only says that the color moved.
  private func registers(_ document: JSON?) -> String {
    document.keys.map { key in
      switch key {
      case "place": "place"
      case "color": Self.readable(plain(document[key]))
      default: "\(key) \(plain(document[key]))"
      }
    }.joined(separator: ", ")
  }

  /// The time since a stamp; nothing if it is none.
  func ago(stamp: JSON?) -> String {
    guard let text = stamp.stringValue, text.utf8.count == 16,
      let milliseconds = Int64(text.prefix(12), radix: 16)
    else { return "" }
    return Ago.text(Moment(milliseconds: milliseconds).description, now: presentation.now)
  }

  /// A patch of a color in CSS; nothing for anything else, and where there are no patches.
  func patch(_ css: JSON?) -> Cell {
    let hex = css.stringValue.flatMap { try? Color($0).hex }
    let patch = Swatch.patch(hex, width: 4, depth: presentation.depth)
    return patch.isEmpty ? Cell("") : Cell(styled: patch, width: 4)
  }

  /// The values that were written concurrently.
  func conflicts(_ document: JSON?) -> String {
    let conflicts = document["conflicts"].arrayValue ?? []
    guard isTerminal else { return conflicts.flatMap(conflictFields).joined() }
    guard !conflicts.isEmpty else { return "No conflicts\n" }
    var table = TextTable(
      header: ["NAME", "REGISTER", "", "VALUE", "", "BY", "WHEN"],
      details: ["NODE", "ID", "PALETTE"]
    )
    for conflict in conflicts {
      for (index, value) in (conflict["values"].arrayValue ?? []).enumerated() {
        let isFirst = index == 0
        table.append([
          Cell(isFirst ? plain(conflict["name"]) : ""),
          Cell(isFirst ? plain(conflict["register"]) : ""),
          conflict["register"].stringValue == "color" ? patch(value["value"]) : Cell(""),
          Cell(
            conflict["register"].stringValue == "color"
              ? Self.readable(plain(value["value"])) : plain(value["value"])
          ),
          Cell(value["shown"].boolValue == true ? "shown" : ""),
          Cell(plain(value["author"]), limit: 30), Cell(whole: ago(stamp: value["stamp"])),
          Cell(plain(value["node"])),
          Cell(isFirst ? plain(conflict["id"]) : ""),
          Cell(isFirst ? plain(conflict["palette"]) : ""),
        ])
      }
    }
    return table.text(presentation)
      + paragraph("Settle one with: hued resolve PALETTE COLOR, which asks for the value to keep")
  }

  private func conflictFields(_ conflict: JSON?) -> [String] {
    (conflict["values"].arrayValue ?? []).map { value in
      fields(
        [conflict["palette"], conflict["id"], conflict["register"], value["value"], value["node"]]
          .map(plain)
          + [plain(value["stamp"]), value["shown"].boolValue == true ? "shown" : "sibling"]
          + [plain(value["author"])]
      )
    }
  }
}
