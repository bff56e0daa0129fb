import PaletteCommands
import PaletteFormats

/// What `hued` alone shows.
extension TextRenderer {
  /// What `hued` alone shows: the palettes, whether they are in sync, and what one could do next.
  func overview(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    let peers = document["peers"].arrayValue ?? []
    let isRunning = document["running"].boolValue == true
    var text = verdict(document, peers)
    if !palettes.isEmpty {
      var table = TextTable(header: ["PALETTE", "COLORS", "CONFLICTS"])
      for palette in palettes.prefix(Self.overviewLimit) {
        let conflicts = palette["conflicts"].intValue ?? 0
        table.append([
          Cell(plain(palette["name"])), Cell(plain(palette["count"]), alignsRight: true),
          Cell(conflicts == 0 ? "" : "\(conflicts)", alignsRight: true),
        ])
      }
      text += "\n" + table.text(presentation)
      let more = (document["totals"]["palettes"].intValue ?? palettes.count) - Self.overviewLimit
      if more > 0 { text += "and \(count(more, "more palette", "more palettes")): hued palettes\n" }
    }
    var next: [(command: String, does: String)] = []
    if palettes.isEmpty {
      next.append(("hued new NAME", "make a palette"))
      next.append(("hued import FILE", "read one from a file of another program"))
    } else {
      next.append(("hued list PALETTE", "show its colors"))
      next.append(("hued add PALETTE VALUE", "add a color, such as tomato or #ff6347"))
    }
    if conflicts(in: document, palettes) > 0 {
      next.append(("hued conflicts", "show what two people set at once"))
    }
    if !isRunning { next.append(("hued serve", "run the node and its web page")) }
    if isRunning { next.append(("hued open", "open the web page")) }
    if peers.contains(where: { $0["state"].stringValue == "refused" }) {
      next.append(("hued join CODE", "join again, with a new code from whoever runs the hub"))
    }
    if peers.isEmpty { next.append(("hued join CODE", "share palettes with another machine")) }
    next.append(("hued help", "all commands"))
    let width = next.map(\.command.count).max() ?? 0
    return text + "\nNext:\n"
      + next.map { entry in
        let space = String(repeating: " ", count: width - entry.command.count)
        let line = "  \(entry.command)\(space)  \(entry.does)"
        guard DisplayWidth.of(line) > presentation.columns else { return line + "\n" }
        return "  \(entry.command)\n" + paragraph("    \(entry.does)", indent: "    ")
      }.joined()
  }

  private static let overviewLimit = 12
}
