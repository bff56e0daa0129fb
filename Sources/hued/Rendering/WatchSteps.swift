import PaletteCommands
import PaletteJSON

/// The events of a palette, as lines for a pipe: the list first, then one for each step.
struct WatchSteps {
  let renderer: TextRenderer

  /// The text that an event leads to.
  func text(_ event: [UInt8]) throws(APIError) -> String {
    let event = try JSON(answer: event)
    switch event["event"].stringValue {
    case "snapshot": return renderer.list(event)
    case "diff": return steps(of: event)
    default: return ""
    }
  }

  /// One tab-separated line for each step: what, index (and where from), hex, name, id and author.
  private func steps(of diff: JSON) -> String {
    var text = ""
    func add(_ step: String, _ index: JSON?, _ from: JSON?, _ color: JSON?, id: JSON?) {
      let values = [index, from, color["hex"], color["name"], id, diff["author"]]
      text += renderer.fields([step] + values.map(renderer.plain))
    }
    for step in diff["deletions"].arrayValue ?? [] {
      add("delete", step["index"], nil, nil, id: step["id"])
    }
    for step in diff["insertions"].arrayValue ?? [] {
      add("insert", step["index"], nil, step["color"], id: step["color"]["id"])
    }
    for step in diff["moves"].arrayValue ?? [] {
      add("move", step["to"], step["from"], nil, id: step["id"])
    }
    for step in diff["updates"].arrayValue ?? [] {
      add("update", step["index"], nil, step["color"], id: step["color"]["id"])
    }
    return text
  }
}
