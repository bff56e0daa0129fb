import PaletteCommands
import PaletteFormats
import PaletteJSON
import PaletteMerge
import PaletteModel

/// Shows the documents of the API as text.
struct TextRenderer {
  let presentation: Presentation
  let invocation: Invocation

  var isTerminal: Bool { presentation.isTerminal }
  var now: Moment { presentation.now }

  /// The text for one answer of the API.
  func output(for document: JSON) -> Output {
    guard invocation.command.hasResult || !presentation.isQuiet else { return Output("") }
    let notes = invocation.command.view == .importedFiles ? importProblems(document) : ""
    return Output(text(for: document), notes: notes)
  }

  private func text(for document: JSON) -> String {
    switch invocation.command.view {
    case .facts: facts(document)
    case .palettes: palettes(document)
    case .list: list(document)
    case .history: history(document)
    case .conflicts: conflicts(document)
    case .formats: formats(document)
    case .colorFacts: color(document)
    case .convertedColor: converted(document)
    case .contrast: contrast(document)
    case .colorNames: nearestName(document)
    case .paintedText: painted(document)
    case .colors: colors(document)
    case .record(let word): records(document, after: word)
    case .palette(let word): palette(document, after: word)
    case .recordOrPalette(let word):
      document["hex"].isNull ? palette(document, after: word) : record(document, after: word)
    case .removedColors: removed(document)
    case .changes(let word, let none): changed(document, word: word, nothing: none)
    case .sentence(let word, let key): sentence(word, document[key])
    case .value(let key): plain(document[key]) + "\n"
    case .token: token(document)
    case .caller: caller(document)
    case .status: invocation.isOverview ? overview(document) : status(document)
    case .health: doctor(document)
    case .backup: document["checks"].isNull ? backedUp(document) : doctor(document)
    case .recovery: recovered(document)
    case .compaction: compaction(document)
    case .settings: config(document)
    case .importedFiles: presentation.isQuiet ? "" : imported(document)
    case .linkedFile: linked(document)
    case .linkedFiles: links(document)
    case .shared: shared(document)
    case .accesses: tokens(document)
    case .peers: peers(document)
    case .joined: joined(document)
    case .left: left(document)
    case .synced: synced(document)
    }
  }

  /// A tab-separated line.
  func fields(_ fields: [String]) -> String {
    fields.map(SafeText.field).joined(separator: "\t") + "\n"
  }

  /// A value as a field: a text without quotes, nothing for `null`, anything else as JSON; on a terminal
  /// on one line, without what moves the cursor.
  func plain(_ document: JSON?) -> String {
    guard let document, !document.isNull else { return "" }
    let text = document.stringValue ?? document.text
    return isTerminal ? SafeText.line(text) : text
  }

  /// The part of an id that people read.
  func short(_ id: JSON?) -> String {
    String(plain(id).prefix(8))
  }

  func bold(_ text: String) -> String {
    presentation.depth == .none ? text : "\u{1B}[1m\(text)\(Swatch.reset)"
  }

  /// A sentence from anywhere, in as many lines as the terminal needs for it.
  func paragraph(_ text: String, indent: String = "  ") -> String {
    DisplayWidth.wrapped(
      SafeText.line(text),
      to: presentation.isWide ? .max : presentation.columns,
      indent: indent
    )
  }

  /// A number of things, in words.
  func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// A time without the letters and fractions that only programs need.
  func time(_ document: JSON?) -> String {
    let text = plain(document)
    guard text.utf8.count >= 19, text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.prefix(19).map { $0 == "T" ? " " : String($0) }.joined() + " UTC"
  }

  /// The time since a moment; nothing for `null`.
  func ago(_ document: JSON?) -> String {
    document.stringValue.map { Ago.text($0, now: presentation.now) } ?? ""
  }

  /// The time until a moment; nothing for `null`.
  func end(_ document: JSON?) -> String {
    document.stringValue.map { Ago.end($0, now: presentation.now) } ?? ""
  }

  /// A list of keys and values.
  func facts(_ entries: [(key: String, value: String)]) -> String {
    guard isTerminal else {
      return entries.map { fields([$0.key, $0.value]) }.joined()
    }
    let width = entries.map(\.key.count).max() ?? 0
    return entries.map { entry in
      let padding = String(repeating: " ", count: width - entry.key.count)
      return entry.key + padding + "  " + SafeText.line(entry.value) + "\n"
    }.joined()
  }

  /// The members of an object as keys and values.
  func facts(_ document: JSON?, without hidden: [String] = []) -> String {
    facts(
      document.keys.filter { !hidden.contains($0) }.map { key in
        (key: isTerminal ? Self.words(key) : key, value: plain(document[key]))
      }
    )
  }

  /// The words of a key such as `clockOffset`.
  private static func words(_ key: String) -> String {
    key.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }

  /// The palettes of the library.
  func palettes(_ document: JSON?) -> String {
    let palettes = document["palettes"].arrayValue ?? []
    guard isTerminal else { return palettes.map(paletteFields).joined() }
    guard !palettes.isEmpty else { return "No palettes yet; make one with: hued new NAME\n" }
    var table = TextTable(header: ["NAME", "COLORS", "FIRST COLORS"], details: ["ID"])
    // As wide as the other columns leave room for, in steps of a swatch.
    let names = palettes.map { DisplayWidth.of(SafeText.line(plain($0["name"]))) }.max() ?? 0
    let room = max(0, (presentation.columns - min(48, max(4, names)) - 10) / Self.stripWidth)
    for palette in palettes {
      table.append([
        Cell(plain(palette["name"])), Cell(plain(palette["count"]), alignsRight: true),
        strip(palette["strip"], limit: min(room, Self.stripLimit)), Cell(plain(palette["id"])),
      ])
    }
    return table.text(presentation)
  }

  /// The number of columns a color has in a strip, and how many colors one has at most.
  private static let stripWidth = 2
  static let stripLimit = 40

  /// Patches of a palette's first colors; nothing on a terminal without colors.
  private func strip(_ colors: JSON?, limit: Int) -> Cell {
    let patches = (colors.arrayValue ?? []).prefix(limit).map { color in
      Swatch.patch(color.stringValue, width: Self.stripWidth, depth: presentation.depth)
    }.filter { !$0.isEmpty }
    let width = patches.count * Self.stripWidth
    return width == 0 ? Cell("") : Cell(styled: patches.joined(), width: width)
  }

  /// Name, number of colors, id.
  private func paletteFields(_ palette: JSON?) -> String {
    fields([plain(palette["name"]), plain(palette["count"]), plain(palette["id"])])
  }

  /// The colors of a palette in order.
  func list(_ document: JSON?) -> String {
    let colors = document["colors"].arrayValue ?? []
    guard isTerminal else {
      var text = ""
      for color in colors { text += recordFields(color) }
      return text
    }
    let number = "  " + count(colors.count, "color")
    let room = presentation.isWide ? .max : max(8, presentation.columns - number.utf8.count)
    let name = DisplayWidth.cut(SafeText.line(plain(document["palette"]["name"])), to: room)
    var text = bold(name) + number + "\n"
    guard !colors.isEmpty else { return text }
    var table = TextTable(
      header: ["#", "COLOR", "NAME", "VALUE", "CONFLICTS", "NOTE"],
      details: ["ID"]
    )
    for (index, color) in colors.enumerated() {
      table.append([
        Cell(String(index), alignsRight: true), swatch(color), Cell(plain(color["name"])),
        Cell(whole: authoredValue(color)), Cell(whole: registersInConflict(color)),
        Cell(plain(color["note"]), limit: max(16, presentation.columns / 3)),
        Cell(plain(color["id"])),
      ])
    }
    text += table.text(presentation)
    return text
  }

  /// Position, hex, name, color, id, note.
  private func recordFields(_ record: JSON?) -> String {
    let hex = plain(record["hex"])
    let texts = ["name", "color", "id", "note"].map { SafeText.field(plain(record[$0])) }
    let label = Swatch.label(hex, depth: presentation.depth)
    return ([plain(record["index"]), label] + texts).joined(separator: "\t") + "\n"
  }

  /// One color after an edit.
  private func recordLine(_ record: JSON?, after word: String) -> String {
    let swatch = swatch(record).text
    let name = SafeText.line(plain(record["name"]))
    let place = record["index"].isNull ? "" : ", position \(plain(record["index"]))"
    return "\(word) \(swatch) \(name)  (\(short(record["id"]))\(place))\n"
  }

  /// A patch with the hex beside it.
  func swatch(_ record: JSON?) -> Cell {
    let hex = SafeText.line(plain(record["hex"]))
    let patch = Swatch.patch(hex, width: 4, depth: presentation.depth)
    return patch.isEmpty ? Cell(hex) : Cell(styled: patch + " " + hex, width: 5 + hex.utf8.count)
  }

  /// The value as it was written, where it is more than its hex.
  func authoredValue(_ record: JSON?) -> String {
    let color = plain(record["color"])
    let isHex = color.hasPrefix("#") || color.hasPrefix("rgb(")
    return isHex ? "" : Self.readable(color)
  }

  /// A color as CSS with the digits that people read: two behind the point, four below one.
  static func readable(_ css: String) -> String {
    var text = ""
    var rest = css[...]
    while let start = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      text += rest[..<start]
      let digits = rest[start...].prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[digits.endIndex...]
      // A digit behind a letter belongs to a name, such as xyz-d65 or display-p3.
      guard text.last?.isLetter != true, digits.contains("."), let number = Double(digits),
        number < 1e9
      else {
        text += digits
        continue
      }
      let scale = number < 1 ? 1e4 : 1e2
      let rounded = (number * scale).rounded() / scale
      text += Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
    return text + rest
  }

  private func registersInConflict(_ record: JSON?) -> String {
    (record["conflicts"].arrayValue ?? []).map(plain).joined(separator: " ")
  }

  func palette(_ document: JSON?, after word: String) -> String {
    guard isTerminal else { return paletteFields(document) }
    let name = SafeText.line(plain(document["name"]))
    let colors = count(document["count"].intValue ?? 0, "color")
    return "\(word) \(bold(name))  (\(short(document["id"])), \(colors))\n"
  }

  func record(_ document: JSON?, after word: String) -> String {
    isTerminal ? recordLine(document, after: word) : recordFields(document)
  }

  /// One color after an edit, or several that it is about.
  private func records(_ document: JSON?, after word: String) -> String {
    guard document["hex"].isNull, let colors = document["colors"].arrayValue else {
      return record(document, after: word)
    }
    return colors.map { record($0, after: word) }.joined()
  }

  func removed(_ document: JSON?) -> String {
    let ids = document["removed"].arrayValue ?? []
    guard isTerminal else { return ids.map { fields([plain($0)]) }.joined() }
    return "Removed \(count(ids.count, "color"))\n"
  }

  func changed(_ document: JSON?, word: String, nothing: String) -> String {
    let entries = document["changed"].arrayValue ?? []
    guard !entries.isEmpty else { return isTerminal ? nothing + "\n" : "" }
    guard isTerminal else {
      return entries.map { entry in
        entry["removed"].boolValue == true
          ? fields(["removed", plain(entry["id"])]) : "changed\t" + recordFields(entry)
      }.joined()
    }
    let what = document["summary"].stringValue.map { ": \(SafeText.line($0))" } ?? ""
    var text = paragraph("\(word)\(what)")
    for entry in entries.prefix(Self.changedLimit) {
      let name = SafeText.line(plain(entry["name"]))
      text +=
        entry["removed"].boolValue == true
        ? "  removed \(name)\n" : recordLine(entry, after: " ")
    }
    let rest = entries.count - Self.changedLimit
    return rest > 0 ? text + "  and \(count(rest, "other color"))\n" : text
  }

  /// The most colors that are told one by one.
  private static let changedLimit = 10
}
