import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteModel

extension TextRenderer {
  /// The number of skipped entries of a file that are told without `--verbose`.
  private static let skippedLimit = 10

  /// The outcome for each file: results on the standard output, failures beside it.
  func imported(_ files: [Received<ImportedFile>]) -> String {
    files.map(isTerminal ? importedLine : importedFields).joined()
  }

  /// Files that could not be read, and what was left out of the others.
  func importProblems(_ files: [Received<ImportedFile>]) -> String {
    // Several files for one palette are refused for one reason, which is said once.
    func key(_ file: Received<ImportedFile>) -> String? { file.error?.json.text }
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

  private func importedLine(_ file: Received<ImportedFile>) -> String {
    guard file.error == nil else { return "" }
    let changes = [
      ("inserted", file.inserted), ("updated", file.updated), ("moved", file.moved),
      ("deleted", file.deleted),
    ].compactMap { word, number in number.flatMap { $0 > 0 ? "\($0) \(word)" : nil } }
    let name = SafeText.line(plain(file.file))
    let colors = count(file.colors ?? 0, "color")
    let summary = changes.isEmpty ? "nothing new" : changes.joined(separator: ", ")
    return "\(bold(name))  \(plain(file.format)), \(colors): \(summary)\n"
  }

  private func importedFields(_ file: Received<ImportedFile>) -> String {
    fields(
      [file.file, file.format, file.palette].map(plain)
        + [file.colors, file.inserted, file.deleted, file.moved, file.updated].map(plain)
        + [String(file.skipped.count), plain(file.error?.code)]
    )
  }

  /// The problems of a file, and of others that have the same error.
  private func problems(of file: Received<ImportedFile>, others: Int) -> String {
    let name = plain(file.file)
    if let error = file.error {
      let hint = error.hint.map { "hint: \($0)\n" } ?? ""
      // A message about reading names the file already.
      let message = plain(error.message)
      let more = others == 0 ? "" : " and \(count(others, "other file"))"
      let place = message.contains("'\(name)'") ? "" : "\(name)\(more): "
      return SafeText.message("hued: \(place)\(message)\n" + hint)
    }
    guard !presentation.isQuiet else { return "" }
    let skipped = file.skipped
    let limit = presentation.isVerbose ? skipped.count : Self.skippedLimit
    var text = skipped.prefix(limit).map { entry in
      "hued: \(name):\(plain(entry.place)): skipped, \(plain(entry.reason))\n"
    }.joined()
    if skipped.count > limit {
      text += "hued: \(name): \(skipped.count - limit) more skipped; --verbose shows them\n"
    }
    return SafeText.message(text)
  }

  /// The link that was made.
  func linked(_ link: Received<LinkAnswer>) -> String {
    guard isTerminal else { return linkFields(link) }
    let error = link.error.map { ": \($0)" } ?? ""
    let text =
      "Linked \(plain(link.file)) to \(plain(link.name)) "
      + "(\(plain(link.format))), \(plain(link.state.text))\(error)"
    return SafeText.line(text) + "\n"
  }

  /// The linked files.
  func links(_ links: [Received<LinkAnswer>]) -> String {
    guard isTerminal else { return links.map(linkFields).joined() }
    guard !links.isEmpty else { return "No links: 'hued link FILE PALETTE' makes one.\n" }
    return table(["FILE", "PALETTE", "FORMAT", "STATE", ""], of: links) { link in
      [
        Cell(plain(link.file)), Cell(plain(link.name)), Cell(plain(link.format)),
        Cell(plain(link.state.text)), Cell(link.error.map { plain($0) } ?? linkNotes(link)),
      ]
    }
  }

  private func linkFields(_ link: Received<LinkAnswer>) -> String {
    let texts = [link.file, link.palette, link.format, link.state.text, link.error].map(plain)
    return fields(texts + [linkNotes(link)])
  }

  /// The differences of a linked file from its palette, on one line.
  private func linkNotes(_ link: Received<LinkAnswer>) -> String {
    link.notes.map(plain).joined(separator: "; ")
  }

  /// The file formats.
  func formats(_ formats: [Received<FormatAnswer>]) -> String {
    guard isTerminal else {
      return lines(formats) { format in
        [
          plain(format.name), plain(format.title),
          format.extensions.map(plain).joined(separator: ","),
          format.reads ? "reads" : "-", format.writes ? "writes" : "-",
        ]
      }
    }
    return table(["NAME", "TITLE", "EXTENSIONS", "READS", "WRITES"], of: formats) { format in
      [
        Cell(plain(format.name)), Cell(plain(format.title)),
        Cell(format.extensions.map(plain).joined(separator: " ")),
        Cell(format.reads ? "yes" : "-"), Cell(format.writes ? "yes" : "-"),
      ]
    }
  }

  /// A color in several notations, beside a big patch where the terminal can show it.
  func color(_ answer: Received<ColorFactsAnswer>) -> String {
    if let several = answer.several { return several.map(color).joined(separator: "\n") }
    let document = answer.json
    // Where programs read, every fact is there under its key.
    let entries =
      notations(of: answer)
      ?? document.keys.map { key in (key: key, value: components(document[key])) }
    let hex = plain(answer.hex)
    guard isTerminal, presentation.depth != .none, ScreenColor(hex: hex) != nil else {
      return facts(entries)
    }
    let lines = facts(entries).split(separator: "\n")
    return lines.enumerated().map { row, line in
      Swatch.patch(hex, width: 16, row: row, depth: presentation.depth) + "  " + line + "\n"
    }.joined()
  }

  /// The notations of a color that people can paste, and similar names; nil where programs read.
  private func notations(
    of answer: Received<ColorFactsAnswer>
  ) -> [(key: String, value: String)]? {
    guard isTerminal, let color = try? Color(css: answer.color) else { return nil }
    let mapped = color.gamutMapped
    let others = [
      ("rgb", color.roundedToBytes.css), ("hsl", mapped.converted(to: .hsl).css),
      ("hsb", mapped.converted(to: .hsb).css), ("oklch", color.converted(to: .oklch).css),
    ]
    var entries = [(key: "hex", value: plain(answer.hex))]
    entries += others.map { (key: $0, value: Self.readable($1)) }
    if !others.contains(where: { $1 == color.css }) {
      entries.insert(("color", Self.readable(color.css)), at: 0)
    }
    let names = color.cssNames(nearest: 3)
    entries.append(("similar", names.joined(separator: ", ")))
    if !answer.isInGamut {
      entries.append(("gamut", "outside sRGB: hex, rgb, hsl and hsb are the nearest inside"))
    }
    return entries
  }

  /// A text in a color.
  func painted(_ answer: Received<PaintedText>) -> String {
    Swatch.paint(plain(answer.paintedText), in: plain(answer.hex), depth: presentation.depth) + "\n"
  }

  /// Numbers with spaces between, as CSS writes them; `none` where there is none.
  private func components(_ value: JSON?) -> String {
    guard let components = value.arrayValue else { return plain(value) }
    return components.map { $0.numberValue.map(rounded) ?? ($0.isNull ? "none" : plain($0)) }
      .joined(separator: " ")
  }

  /// A number with three digits behind the point at most.
  private func rounded(_ number: Double) -> String {
    guard abs(number) < 1e12 else { return plain(number) }
    let thousandths = (number * 1000).rounded() / 1000
    return Int(exactly: thousandths).map(String.init) ?? "\(thousandths)"
  }

  /// The color in the space asked for.
  func converted(_ answer: Received<ConvertedColor>) -> String {
    let color = plain(answer.color)
    guard isTerminal else { return fields([color]) }
    let patch = Swatch.patch(plain(answer.hex), width: 4, depth: presentation.depth)
    return (patch.isEmpty ? "" : patch + " ") + Self.readable(SafeText.line(color)) + "\n"
  }

  /// Computed colors: swatches on a terminal, lines that `-` reads elsewhere.
  func colors(_ colors: [Received<ColorsAnswer.Entry>]) -> String {
    guard isTerminal else {
      return lines(colors) { [plain($0.color)] + ($0.name.map { [$0] } ?? []) }
    }
    return table(of: colors) { color in
      let value = plain(color.color)
      let share = color.share.map { "\(Int(($0 * 100).rounded())) %" } ?? ""
      return [
        swatch(color.hex), Cell(share, alignsRight: true), Cell(plain(color.name)),
        Cell(value.hasPrefix("rgb(") ? "" : Self.readable(value)),
      ]
    }
  }

  /// The ratio of two colors and the levels that it reaches.
  func contrast(_ contrast: Received<ContrastAnswer>) -> String {
    var entries = [(key: "ratio", value: plain(contrast.ratio))]
    if isTerminal { entries[0].value = (contrast.ratio.map(rounded) ?? "") + ":1" }
    for (level, reached) in [("aa", contrast.aa), ("aaa", contrast.aaa)] {
      for (size, isPassed) in [("normal", reached.normal), ("large", reached.large)] {
        let key = "\(isTerminal ? level.uppercased() : level) \(size)"
        entries.append((key: key, value: isPassed ? "pass" : "fail"))
      }
    }
    return facts(entries)
  }

  /// The nearest CSS name.
  func nearestName(_ nearest: Received<NearestName>) -> String {
    guard isTerminal else {
      return fields([nearest.name, nearest.hex, plain(nearest.deltaE)])
    }
    let name = SafeText.line(plain(nearest.name))
    let distance = nearest.deltaE.map(rounded) ?? ""
    return "\(swatch(nearest.hex).text) \(name)  (ΔE \(distance))\n"
  }
}
