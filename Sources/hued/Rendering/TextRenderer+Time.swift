import PaletteCommands
import PaletteFormats
import PaletteModel

extension TextRenderer {
  /// The changes of a palette, newest first.
  func history(_ document: JSON?) -> String {
    let changes = document["changes"].arrayValue ?? []
    guard isTerminal else {
      return changes.map { change in
        let texts = ["time", "kind", "id", "dot", "registers", "author"].map { plain(change[$0]) }
        return fields(texts)
      }.joined()
    }
    var table = TextTable(header: ["WHEN", "KIND", "ID", "BY", "NODE", "", "WHAT"])
    for change in changes {
      table.append([
        Cell(ago(change["time"])), Cell(plain(change["kind"])), Cell(short(change["id"])),
        Cell(plain(change["author"]), limit: 30), Cell(short(change["node"])),
        patch(change["registers"]["color"]), Cell(registers(change["registers"]), limit: 80),
      ])
    }
    return changes.isEmpty ? "No changes\n" : table.text(presentation)
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

  /// A patch of a color in CSS; nothing for anything else, and where there are no patches.
  private func patch(_ css: JSON?) -> Cell {
    let hex = css.stringValue.flatMap { try? Color($0).hex }
    let patch = Swatch.patch(hex, width: 4, depth: presentation.depth)
    return patch.isEmpty ? Cell("") : Cell(styled: patch, width: 4)
  }

  /// The values that were written concurrently.
  func conflicts(_ document: JSON?) -> String {
    let conflicts = document["conflicts"].arrayValue ?? []
    guard isTerminal else { return conflicts.flatMap(conflictFields).joined() }
    guard !conflicts.isEmpty else { return "No conflicts\n" }
    var table = TextTable(header: ["ID", "PALETTE", "REGISTER", "", "VALUE", "", "BY", "NODE"])
    for conflict in conflicts {
      for (index, value) in (conflict["values"].arrayValue ?? []).enumerated() {
        let isFirst = index == 0
        table.append([
          Cell(isFirst ? short(conflict["id"]) : ""),
          Cell(isFirst ? short(conflict["palette"]) : ""),
          Cell(isFirst ? plain(conflict["register"]) : ""),
          conflict["register"].stringValue == "color" ? patch(value["value"]) : Cell(""),
          Cell(
            conflict["register"].stringValue == "color"
              ? Self.readable(plain(value["value"])) : plain(value["value"])
          ),
          Cell(value["shown"].boolValue == true ? "shown" : ""),
          Cell(plain(value["author"]), limit: 30), Cell(short(value["node"])),
        ])
      }
    }
    return table.text(presentation)
      + "Settle one with: hued resolve PALETTE COLOR REGISTER VALUE\n"
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
