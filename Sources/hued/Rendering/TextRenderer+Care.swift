import PaletteCommands
import PaletteFormats

extension TextRenderer {
  /// What a backup holds, in a sentence.
  func backedUp(_ document: JSON?) -> String {
    "Backed up \(holdings(document)) to \(bold(SafeText.line(plain(document["file"]))))"
      + " (\(megabytes(document["bytes"])))\n"
  }

  /// What the library is now, and where the old one is.
  func recovered(_ document: JSON?) -> String {
    let kept = document["kept"].stringValue.map {
      "The old library is kept as \(SafeText.line($0))\n"
    }
    return "Recovered \(holdings(document)) from \(bold(SafeText.line(plain(document["file"]))))\n"
      + (kept ?? "")
  }

  private func holdings(_ document: JSON?) -> String {
    count(document["palettes"].intValue ?? 0, "palette") + " with "
      + count(document["colors"].intValue ?? 0, "color")
  }

  private func megabytes(_ bytes: JSON?) -> String {
    "\(ProgressMeter.number(bytes.intValue ?? 0, .bytes)) MB"
  }

  /// What compaction did, in all and for each palette.
  func compaction(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    let numbers = ["changes", "removed", "removedBytes"]
    let totals = facts(document, without: ["palettes"])
    guard isTerminal else {
      return totals
        + palettes.map { palette in
          fields(["palette"] + (["name"] + numbers + ["id"]).map { plain(palette[$0]) })
        }.joined()
    }
    guard !palettes.isEmpty else { return totals }
    var table = TextTable(header: ["PALETTE", "CHANGES", "REMOVED", "BYTES", "ID"])
    for palette in palettes {
      table.append(
        [Cell(plain(palette["name"]))]
          + numbers.map { Cell(plain(palette[$0]), alignsRight: true) }
          + [Cell(short(palette["id"]))]
      )
    }
    return totals + "\n" + table.text(presentation)
  }

  /// The checks, one a line; for people with the answer first, and with what is wrong before the rest.
  func doctor(_ document: JSON?) -> String {
    let checks = document["checks"].arrayValue ?? []
    guard isTerminal else {
      return checks.map { check in
        let word = check["ok"].boolValue == true ? "ok" : "failed"
        return fields([plain(check["name"]), word, plain(check["detail"])])
      }.joined()
    }
    let failed = checks.filter { $0["ok"].boolValue != true }
    let passed = checks.filter { $0["ok"].boolValue == true }
    var text =
      failed.isEmpty
      ? bold("All is well") + ": \(count(passed.count, "check")) passed\n"
      : bold("Something is wrong") + ": \(failed.count) of \(count(checks.count, "check")) failed\n"
    for check in failed + passed {
      let mark = check["ok"].boolValue == true ? "✓" : "✗"
      let detail = plain(check["detail"])
      text += paragraph(
        "  \(mark) \(plain(check["name"]))\(detail.isEmpty ? "" : ": \(detail)")",
        indent: "      "
      )
    }
    return text
  }

  /// All settings with their origin, or the value of one.
  func config(_ document: JSON?) -> String {
    guard let settings = document["settings"].arrayValue else {
      let isSet = invocation["action"].stringValue == "set"
      return isSet && presentation.isQuiet ? "" : fields([plain(document["value"])])
    }
    guard isTerminal else {
      return settings.map { setting in
        fields(["key", "value", "origin"].map { plain(setting[$0]) })
      }.joined()
    }
    var table = TextTable(header: ["KEY", "VALUE", "ORIGIN"])
    for setting in settings {
      table.append([
        Cell(plain(setting["key"])), Cell(plain(setting["value"])), Cell(plain(setting["origin"])),
      ])
    }
    return table.text(presentation)
  }
}
