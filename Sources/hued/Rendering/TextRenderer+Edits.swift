import PaletteCommands
import PaletteFormats

extension TextRenderer {
  func palette(_ document: JSON?, after word: String) -> String {
    guard isTerminal else { return paletteFields(document) }
    let name = SafeText.line(plain(document["name"]))
    let colors = count(document["count"].intValue ?? 0, "color")
    return "\(word) \(bold(name))  (\(short(document["id"])), \(colors))\n"
  }

  func record(_ document: JSON?, after word: String) -> String {
    isTerminal ? recordLine(document, after: word) : recordFields(document)
  }

  /// Colors that were added together.
  func added(_ document: JSON?) -> String {
    (document["colors"].arrayValue ?? []).map { record($0, after: "Added") }.joined()
  }

  func removed(_ document: JSON?) -> String {
    let ids = document["removed"].arrayValue ?? []
    guard isTerminal else { return ids.map { fields([plain($0)]) }.joined() }
    return "Removed \(count(ids.count, "color"))\n"
  }

  func changed(_ document: JSON?, word: String, nothing: String) -> String {
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
