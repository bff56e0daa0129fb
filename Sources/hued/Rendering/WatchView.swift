import PaletteCommands

/// A palette on the screen that follows its diffs: the list on a terminal, elsewhere its steps.
struct WatchView {
  let renderer: TextRenderer
  private var palette: Document = nil
  private var colors: [Document] = []
  /// Who looks at the palette, this view included.
  private var present: [Document] = []
  /// Who made the newest change that was told.
  private var author: Document = nil

  init(renderer: TextRenderer) {
    self.renderer = renderer
  }

  /// The text that an event leads to.
  mutating func show(_ event: [UInt8]) throws(APIError) -> String {
    let event = try Document(parsing: event)
    switch event["event"].string {
    case "snapshot":
      palette = event["palette"]
      colors = event["colors"].array ?? []
      return renderer.isTerminal ? screen : renderer.list(event)
    case "diff":
      let steps = renderer.isTerminal ? "" : self.steps(of: event)
      apply(event)
      author = event["author"]
      return renderer.isTerminal ? screen : steps
    case "title":
      palette = event["palette"]
      return renderer.isTerminal ? screen : ""
    case "presence":
      present = event["present"].array ?? []
      return renderer.isTerminal ? screen : ""
    default: return ""
    }
  }

  /// Who is here, in one line; nothing while this view is alone.
  private var here: String {
    guard present.count > 1 else { return "" }
    let names = present.map { view in
      let selected = colors.first { $0["id"].string == view["selection"].string }
      let name = view["author"].string == nil ? view["name"] : view["author"]
      return renderer.plain(name)
        + (selected.map { " (\(renderer.plain($0["name"])))" } ?? "")
    }
    return "\n" + SafeText.line("Here: " + names.joined(separator: ", ")) + "\n"
  }

  /// Who edited last, in one line; nothing while nobody did.
  private var newest: String {
    guard author.string != nil else { return "" }
    return "\n" + SafeText.line("Last edit: " + renderer.plain(author)) + "\n"
  }

  /// The list on an empty screen.
  private var screen: String {
    let list: Document = ["palette": palette, "colors": Document(colors)]
    return "\u{1B}[H\u{1B}[2J" + renderer.list(list) + newest + here
  }

  /// Takes out what goes or moves, by old index, then puts in what comes, by new index.
  private mutating func apply(_ diff: Document) {
    let moves = diff["moves"].array ?? []
    var arrivals = moves.compactMap { move in
      move["from"].integer.flatMap { colors.indices.contains($0) ? (move["to"], colors[$0]) : nil }
    }
    arrivals += (diff["insertions"].array ?? []).map { ($0["index"], $0["color"]) }
    let leaving = (diff["deletions"].array ?? []).map { $0["index"] } + moves.map { $0["from"] }
    for index in leaving.compactMap(\.integer).sorted(by: >) where colors.indices.contains(index) {
      colors.remove(at: index)
    }
    let placed = arrivals.compactMap { arrival in arrival.0.integer.map { ($0, arrival.1) } }
    for (index, color) in placed.sorted(by: { $0.0 < $1.0 }) {
      colors.insert(color, at: min(index, colors.count))
    }
    for update in diff["updates"].array ?? [] {
      if let index = update["index"].integer, colors.indices.contains(index) {
        colors[index] = update["color"]
      }
    }
  }

  /// One tab-separated line for each step: what, index (and where from), hex, name, id and author.
  private func steps(of diff: Document) -> String {
    var text = ""
    for step in diff["deletions"].array ?? [] {
      text += line("delete", step["index"], nil, nil, id: step["id"], diff["author"])
    }
    for step in diff["insertions"].array ?? [] {
      text += line(
        "insert",
        step["index"],
        nil,
        step["color"],
        id: step["color"]["id"],
        diff["author"]
      )
    }
    for step in diff["moves"].array ?? [] {
      text += line("move", step["to"], step["from"], nil, id: step["id"], diff["author"])
    }
    for step in diff["updates"].array ?? [] {
      text += line(
        "update",
        step["index"],
        nil,
        step["color"],
        id: step["color"]["id"],
        diff["author"]
      )
    }
    return text
  }

  private func line(
    _ step: String,
    _ index: Document,
    _ from: Document,
    _ color: Document,
    id: Document,
    _ author: Document
  ) -> String {
    renderer.fields(
      [step] + [index, from, color["hex"], color["name"], id, author].map(renderer.plain)
    )
  }
}
