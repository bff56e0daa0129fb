import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteModel

extension TextRenderer {
  /// The number of skipped entries of a file that are told without `--verbose`.
  private static let skippedLimit = 10

  /// The outcome for each file: results on the standard output, failures beside it.
  func imported(_ document: JSON?) -> String {
    (document["files"].arrayValue ?? []).map(isTerminal ? importedLine : importedFields).joined()
  }

  /// Files that could not be read, and what was left out of the others.
  func importProblems(_ document: JSON?) -> String {
    let files = document["files"].arrayValue ?? []
    // Several files for one palette are refused for one reason, which is said once.
    func key(_ file: JSON) -> String? { file["error"].flatMap { $0.isNull ? nil : $0.text } }
    var counts: [String: Int] = [:]
    for error in files.compactMap(key) { counts[error, default: 0] += 1 }
    var text = ""
    for file in files {
      guard let error = key(file) else {
        text += problems(of: file, others: 0)
        continue
      }
      guard let count = counts.removeValue(forKey: error) else { continue }
      text += problems(of: file, others: count - 1)
    }
    return text
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

  /// The problems of a file, and of others that have the same error.
  private func problems(of file: JSON, others: Int) -> String {
    let name = plain(file["file"])
    let error = file["error"]
    if !error.isNull {
      let hint = error["hint"].stringValue.map { "hint: \($0)\n" } ?? ""
      // A message about reading names the file already.
      let message = plain(error["message"])
      let more = others == 0 ? "" : " and \(count(others, "other file"))"
      let place = message.contains("'\(name)'") ? "" : "\(name)\(more): "
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
        Cell(plain(link["state"])),
        Cell(link["error"].isNull ? linkNotes(link) : plain(link["error"])),
      ])
    }
    return table.text(presentation)
  }

  private func linkFields(_ link: JSON?) -> String {
    let keys = ["file", "palette", "format", "state", "error"]
    return fields(keys.map { plain(link[$0]) } + [linkNotes(link)])
  }

  /// The differences of a linked file from its palette, on one line.
  private func linkNotes(_ link: JSON?) -> String {
    (link["notes"].arrayValue ?? []).map(plain).joined(separator: "; ")
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

  /// A color in several notations, beside a big patch where the terminal can show it.
  func color(_ document: JSON?) -> String {
    if let several = document["colors"].arrayValue {
      return several.map { color($0) }.joined(separator: "\n")
    }
    let entries =
      notations(of: document)
      ?? document.keys.map { key in (key: key, value: components(document[key])) }
    let hex = plain(document["hex"])
    guard isTerminal, presentation.depth != .none, ScreenColor(hex: hex) != nil else {
      return facts(entries)
    }
    let lines = facts(entries).split(separator: "\n")
    return lines.enumerated().map { row, line in
      Swatch.patch(hex, width: 16, row: row, depth: presentation.depth) + "  " + line + "\n"
    }.joined()
  }

  /// The notations of a color that people can paste, and similar names; nil where programs read.
  private func notations(of document: JSON?) -> [(key: String, value: String)]? {
    guard isTerminal, let color = try? Color(css: document["color"].stringValue ?? "") else {
      return nil
    }
    let mapped = color.gamutMapped
    let others = [
      ("rgb", color.roundedToBytes.css), ("hsl", mapped.converted(to: .hsl).css),
      ("hsb", mapped.converted(to: .hsb).css), ("oklch", color.converted(to: .oklch).css),
    ]
    var entries = [(key: "hex", value: plain(document["hex"]))]
    entries += others.map { (key: $0, value: Self.readable($1)) }
    if !others.contains(where: { $1 == color.css }) {
      entries.insert(("color", Self.readable(color.css)), at: 0)
    }
    let names = color.cssNames(nearest: 3)
    entries.append(("similar", names.joined(separator: ", ")))
    if document["inGamut"].boolValue == false {
      entries.append(("gamut", "outside sRGB: hex, rgb, hsl and hsb are the nearest inside"))
    }
    return entries
  }

  /// A text in a color.
  func painted(_ document: JSON?) -> String {
    let (text, hex) = (plain(document["text"]), plain(document["hex"]))
    return Swatch.paint(text, in: hex, depth: presentation.depth) + "\n"
  }

  /// Numbers with spaces between, as CSS writes them; `none` where there is none.
  private func components(_ value: JSON?) -> String {
    guard let components = value.arrayValue else { return plain(value) }
    return components.map { $0.isNull ? "none" : rounded($0) }.joined(separator: " ")
  }

  /// A number with three digits behind the point at most.
  private func rounded(_ document: JSON?) -> String {
    guard let number = document.numberValue, abs(number) < 1e12 else { return plain(document) }
    let thousandths = (number * 1000).rounded() / 1000
    return Int(exactly: thousandths).map(String.init) ?? "\(thousandths)"
  }

  /// The color in the space asked for.
  func converted(_ document: JSON?) -> String {
    let color = plain(document["color"])
    guard isTerminal else { return fields([color]) }
    let patch = Swatch.patch(plain(document["hex"]), width: 4, depth: presentation.depth)
    return (patch.isEmpty ? "" : patch + " ") + Self.readable(SafeText.line(color)) + "\n"
  }

  /// Computed colors: swatches on a terminal, lines that `-` reads elsewhere.
  func colors(_ document: JSON?) -> String {
    let colors = document["colors"].arrayValue ?? []
    guard isTerminal else {
      return colors.map { color in
        fields([plain(color["color"])] + (color["name"].stringValue.map { [$0] } ?? []))
      }.joined()
    }
    var table = TextTable()
    for color in colors {
      let value = plain(color["color"])
      let share = color["share"].numberValue.map { "\(Int(($0 * 100).rounded())) %" } ?? ""
      table.append([
        swatch(color), Cell(share, alignsRight: true), Cell(plain(color["name"])),
        Cell(value.hasPrefix("rgb(") ? "" : Self.readable(value)),
      ])
    }
    return table.text(presentation)
  }

  /// The ratio of two colors and the levels that it reaches.
  func contrast(_ document: JSON?) -> String {
    var entries = [(key: "ratio", value: plain(document["ratio"]))]
    if isTerminal { entries[0].value = rounded(document["ratio"]) + ":1" }
    for level in ["aa", "aaa"] {
      for size in ["normal", "large"] {
        let word = document[level][size].boolValue == true ? "pass" : "fail"
        entries.append((key: "\(isTerminal ? level.uppercased() : level) \(size)", value: word))
      }
    }
    return facts(entries)
  }

  /// The nearest CSS name.
  func nearestName(_ document: JSON?) -> String {
    guard isTerminal else {
      return fields(["name", "hex", "deltaE"].map { plain(document[$0]) })
    }
    let name = SafeText.line(plain(document["name"]))
    return "\(swatch(document).text) \(name)  (ΔE \(rounded(document["deltaE"])))\n"
  }
}
