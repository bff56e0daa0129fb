import PaletteCommands
import PaletteFormats

extension TextRenderer {
  /// A color in several notations, beside a big patch where the terminal can show it.
  func color(_ document: JSON?) -> String {
    let entries = document.keys.map { key in (key: key, value: components(document[key])) }
    let hex = plain(document["hex"])
    guard isTerminal, presentation.depth != .none, ScreenColor(hex: hex) != nil else {
      return facts(entries)
    }
    let lines = facts(entries).split(separator: "\n")
    return lines.enumerated().map { row, line in
      Swatch.patch(hex, width: 16, row: row, depth: presentation.depth) + "  " + line + "\n"
    }.joined()
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
