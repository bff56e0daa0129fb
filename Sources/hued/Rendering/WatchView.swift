import PaletteCommands
import PaletteFormats

/// A palette on the screen that follows its diffs: the list on a terminal, elsewhere its steps.
struct WatchView {
  let renderer: TextRenderer
  private var palette: JSON = nil
  private var colors: [JSON] = []
  /// Who looks at the palette, this view included.
  private var present: [JSON] = []
  private var peers: [JSON] = []
  /// Who made the newest change that was told.
  private var author: JSON = nil

  init(renderer: TextRenderer) {
    self.renderer = renderer
  }

  /// The text that an event leads to.
  mutating func show(_ event: [UInt8]) throws(APIError) -> String {
    let event = try JSON(answer: event)
    switch event["event"].stringValue {
    case "snapshot":
      palette = event["palette"] ?? .null
      colors = event["colors"].arrayValue ?? []
      return renderer.isTerminal ? screen : renderer.list(event)
    case "diff":
      let steps = renderer.isTerminal ? "" : self.steps(of: event)
      apply(event)
      author = event["author"] ?? .null
      return renderer.isTerminal ? screen : steps
    case "title":
      palette = event["palette"] ?? .null
      return renderer.isTerminal ? screen : ""
    case "state":
      peers = event["peers"].arrayValue ?? []
      return renderer.isTerminal ? screen : ""
    case "presence":
      present = event["present"].arrayValue ?? []
      return renderer.isTerminal ? screen : ""
    default: return ""
    }
  }

  /// Who is here, in one line; nothing while this view is alone.
  private var here: String {
    guard present.count > 1 else { return "" }
    let names = present.map { view in
      let selected = colors.first { $0["id"].stringValue == view["selection"].stringValue }
      let name = view["author"].stringValue == nil ? view["name"] : view["author"]
      return renderer.plain(name)
        + (selected.map { " (\(renderer.plain($0["name"])))" } ?? "")
    }
    return "\n" + SafeText.line("Here: " + names.joined(separator: ", ")) + "\n"
  }

  /// Which peers are not connected, in one line; nothing while all are.
  private var away: String {
    let away = peers.filter { $0["state"].stringValue != "live" }
    guard !away.isEmpty else { return "" }
    let states = away.map { "\(renderer.plain($0["url"])) (\(renderer.plain($0["state"])))" }
    return "\n" + SafeText.line("Not connected: " + states.joined(separator: ", ")) + "\n"
  }

  /// Who edited last, in one line; nothing while nobody did.
  private var newest: String {
    guard author.stringValue != nil else { return "" }
    return "\n" + SafeText.line("Last edit: " + renderer.plain(author)) + "\n"
  }

  /// The list on an empty screen.
  private var screen: String {
    let list: JSON = ["palette": palette, "colors": JSON(colors)]
    return "\u{1B}[H\u{1B}[2J" + renderer.list(list) + newest + here + away
  }

  /// Takes out what goes or moves, by old index, then puts in what comes, by new index.
  private mutating func apply(_ diff: JSON?) {
    let moves = diff["moves"].arrayValue ?? []
    var arrivals = moves.compactMap { move in
      move["from"].intValue.flatMap { colors.indices.contains($0) ? (move["to"], colors[$0]) : nil }
    }
    arrivals += (diff["insertions"].arrayValue ?? []).map { ($0["index"], $0["color"] ?? .null) }
    let leaving =
      (diff["deletions"].arrayValue ?? []).map { $0["index"] } + moves.map { $0["from"] }
    for index in leaving.compactMap(\.intValue).sorted(by: >) where colors.indices.contains(index) {
      colors.remove(at: index)
    }
    let placed = arrivals.compactMap { arrival in arrival.0.intValue.map { ($0, arrival.1) } }
    for (index, color) in placed.sorted(by: { $0.0 < $1.0 }) {
      colors.insert(color, at: min(index, colors.count))
    }
    for update in diff["updates"].arrayValue ?? [] {
      if let index = update["index"].intValue, colors.indices.contains(index) {
        colors[index] = update["color"] ?? .null
      }
    }
  }

  /// One tab-separated line for each step: what, index (and where from), hex, name, id and author.
  private func steps(of diff: JSON?) -> String {
    var text = ""
    for step in diff["deletions"].arrayValue ?? [] {
      text += line("delete", step["index"], nil, nil, id: step["id"], diff["author"])
    }
    for step in diff["insertions"].arrayValue ?? [] {
      text += line(
        "insert",
        step["index"],
        nil,
        step["color"],
        id: step["color"]["id"],
        diff["author"]
      )
    }
    for step in diff["moves"].arrayValue ?? [] {
      text += line("move", step["to"], step["from"], nil, id: step["id"], diff["author"])
    }
    for step in diff["updates"].arrayValue ?? [] {
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
    _ index: JSON?,
    _ from: JSON?,
    _ color: JSON?,
    id: JSON?,
    _ author: JSON?
  ) -> String {
    renderer.fields(
      [step] + [index, from, color["hex"], color["name"], id, author].map(renderer.plain)
    )
  }
}
