import PaletteCommands
import PaletteFormats

extension TextRenderer {
  /// What an edit or a task of care did, in a line where that is enough.
  func edit(_ document: JSON?) -> String {
    switch invocation.verb {
    case .new: palette(document, after: "Created")
    case .drop: palette(document, after: "Dropped")
    case .title: palette(document, after: "Renamed to")
    case .restore where document["hex"].isNull: palette(document, after: "Restored")
    case .remove: removed(document)
    case .undo: changed(document, word: "Undone", nothing: "Nothing to undo")
    case .redo: changed(document, word: "Redone", nothing: "Nothing to redo")
    case .backup, .recover: facts(document)
    case .compact: compaction(document)
    default: record(document)
    }
  }

  private func palette(_ document: JSON?, after word: String) -> String {
    guard isTerminal else { return paletteFields(document) }
    let name = SafeText.line(plain(document["name"]))
    let colors = count(document["count"].intValue ?? 0, "color")
    return "\(word) \(bold(name))  (\(short(document["id"])), \(colors))\n"
  }

  private func record(_ document: JSON?) -> String {
    guard isTerminal else { return recordFields(document) }
    let words: [Verb: String] = [
      .add: "Added", .set: "Set", .rename: "Renamed", .note: "Noted", .move: "Moved",
      .restore: "Restored", .tweak: "Tweaked", .resolve: "Resolved",
    ]
    return recordLine(document, after: words[invocation.verb] ?? "Changed")
  }

  private func removed(_ document: JSON?) -> String {
    let ids = document["removed"].arrayValue ?? []
    guard isTerminal else { return ids.map { fields([plain($0)]) }.joined() }
    return "Removed \(count(ids.count, "color"))\n"
  }

  private func changed(_ document: JSON?, word: String, nothing: String) -> String {
    let entries = document["changed"].arrayValue ?? []
    guard !entries.isEmpty else { return isTerminal ? nothing + "\n" : "" }
    return entries.map { entry in
      let isRemoved = entry["removed"].boolValue == true
      if isTerminal {
        return isRemoved
          ? "\(word): removed \(short(entry["id"]))\n" : recordLine(entry, after: word + ":")
      }
      return isRemoved
        ? fields(["removed", plain(entry["id"])]) : "changed\t" + recordFields(entry)
    }.joined()
  }
}
