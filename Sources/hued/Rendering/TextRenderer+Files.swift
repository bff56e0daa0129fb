import PaletteCommands
import PaletteFormats

extension TextRenderer {
  /// How many skipped entries of a file are told without `--verbose`.
  private static let skippedLimit = 10

  /// What became of each file: results on the standard output, what went wrong beside it.
  func imported(_ document: JSON?) -> Output {
    var output = ""
    var notes = ""
    for file in document["files"].arrayValue ?? [] {
      output += isTerminal ? importedLine(file) : importedFields(file)
      notes += problems(of: file)
    }
    return Output(presentation.isQuiet ? "" : output, notes: notes)
  }

  private func importedLine(_ file: JSON?) -> String {
    guard file["error"].isNull else { return "" }
    let changes = ["inserted", "updated", "moved", "deleted"].compactMap { key -> String? in
      guard let number = file[key].intValue, number > 0 else { return nil }
      return "\(number) \(key)"
    }
    let name = SafeText.line(plain(file["file"]))
    let colors = count(file["colors"].intValue ?? 0, "color")
    let summary = changes.isEmpty ? "nothing new" : changes.joined(separator: ", ")
    return "\(bold(name))  \(plain(file["format"])), \(colors): \(summary)\n"
  }

  private func importedFields(_ file: JSON?) -> String {
    let keys = [
      "file", "format", "palette", "colors", "inserted", "deleted", "moved", "updated",
    ]
    let skipped = String((file["skipped"].arrayValue ?? []).count)
    return fields(keys.map { plain(file[$0]) } + [skipped, plain(file["error"]["code"])])
  }

  private func problems(of file: JSON) -> String {
    let name = plain(file["file"])
    let error = file["error"]
    if !error.isNull {
      let hint = error["hint"].stringValue.map { "hint: \($0)\n" } ?? ""
      // A message about reading names the file already.
      let message = plain(error["message"])
      let place = message.contains("'\(name)'") ? "" : "\(name): "
      return SafeText.message("hued: \(place)\(message)\n" + hint)
    }
    guard !presentation.isQuiet else { return "" }
    let skipped = file["skipped"].arrayValue ?? []
    let limit = presentation.isVerbose ? skipped.count : Self.skippedLimit
    var text = skipped.prefix(limit).map { entry in
      "hued: \(name):\(plain(entry["at"])): skipped, \(plain(entry["reason"]))\n"
    }.joined()
    if skipped.count > limit {
      text += "hued: \(name): \(skipped.count - limit) more skipped; --verbose shows them\n"
    }
    return SafeText.message(text)
  }

  /// The link that was made.
  func linked(_ document: JSON?) -> String {
    guard isTerminal else { return linkFields(document) }
    let state = plain(document["state"])
    let error = document["error"].stringValue.map { ": \($0)" } ?? ""
    let text =
      "Linked \(plain(document["file"])) to \(plain(document["name"])) "
      + "(\(plain(document["format"]))), \(state)\(error)"
    return SafeText.line(text) + "\n"
  }

  /// The linked files.
  func links(_ document: JSON?) -> String {
    let links = document["links"].arrayValue ?? []
    guard isTerminal else { return links.map(linkFields).joined() }
    guard !links.isEmpty else { return "No links: 'hued link FILE PALETTE' makes one.\n" }
    var table = TextTable(header: ["FILE", "PALETTE", "FORMAT", "STATE", ""])
    for link in links {
      table.append([
        Cell(plain(link["file"])), Cell(plain(link["name"])), Cell(plain(link["format"])),
        Cell(plain(link["state"])), Cell(plain(link["error"])),
      ])
    }
    return table.text(presentation)
  }

  private func linkFields(_ link: JSON?) -> String {
    fields(["file", "palette", "format", "state", "error"].map { plain(link[$0]) })
  }

  /// The file formats.
  func formats(_ document: JSON?) -> String {
    let formats = document["formats"].arrayValue ?? []
    guard isTerminal else {
      return formats.map { format in
        fields(
          [plain(format["name"]), plain(format["title"]), extensions(of: format, separator: ",")]
            + ["reads", "writes"].map { format[$0].boolValue == true ? $0 : "-" }
        )
      }.joined()
    }
    var table = TextTable(header: ["NAME", "TITLE", "EXTENSIONS", "READS", "WRITES"])
    for format in formats {
      table.append([
        Cell(plain(format["name"])), Cell(plain(format["title"])),
        Cell(extensions(of: format, separator: " ")),
        Cell(format["reads"].boolValue == true ? "yes" : "-"),
        Cell(format["writes"].boolValue == true ? "yes" : "-"),
      ])
    }
    return table.text(presentation)
  }

  private func extensions(of format: JSON, separator: String) -> String {
    (format["extensions"].arrayValue ?? []).map(plain).joined(separator: separator)
  }
}
