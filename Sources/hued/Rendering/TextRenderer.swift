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
    let isImport = invocation.command.view == .importedFiles
    let notes = isImport ? importProblems(Received<ImportAnswer>(document).files) : ""
    return Output(text(for: document), notes: notes)
  }

  private func text(for document: JSON) -> String {
    switch invocation.command.view {
    case .facts: facts(document)
    case .palettes: palettes(Received<PalettesAnswer>(document).palettes)
    case .list: list(Received(document))
    case .history: history(Received(document))
    case .conflicts: conflicts(Received<ConflictsAnswer>(document).conflicts)
    case .formats: formats(Received<FormatsAnswer>(document).formats)
    case .colorFacts: color(Received(document))
    case .convertedColor: converted(Received(document))
    case .contrast: contrast(Received(document))
    case .colorNames: nearestName(Received(document))
    case .paintedText: painted(Received(document))
    case .colors: colors(Received<ColorsAnswer>(document).colors)
    case .record(let word): records(Received(document), after: word)
    case .palette(let word): palette(Received(document), after: word)
    case .recordOrPalette(let word):
      recordOrPalette(Received(document), after: word)
    case .removedColors: removed(Received(document))
    case .changes(let word, let none): changed(Received(document), word: word, nothing: none)
    case .sentence(let word, let key): sentence(word, document[key])
    case .value(let key): plain(document[key]) + "\n"
    case .token: token(Received(document))
    case .caller: caller(Received(document))
    case .status:
      invocation.isOverview ? overview(Received(document)) : status(Received(document))
    case .health: doctor(Received(document))
    case .backup: backedUp(Received(document))
    case .recovery: recovered(Received(document))
    case .compaction: compaction(Received(document))
    case .settings: config(Received(document))
    case .importedFiles:
      presentation.isQuiet ? "" : imported(Received<ImportAnswer>(document).files)
    case .linkedFile: linked(Received(document))
    case .linkedFiles: links(Received<LinksAnswer>(document).links)
    case .shared: shared(Received(document))
    case .accesses: tokens(Received<TokensAnswer>(document).tokens)
    case .peers: peers(Received(document))
    case .joined: joined(Received(document))
    case .left: left(Received(document))
    case .synced: synced(Received(document))
    }
  }

  /// A tab-separated line.
  func fields(_ fields: [String]) -> String {
    fields.map(SafeText.field).joined(separator: "\t") + "\n"
  }

  /// A line for each of several things.
  func lines<Thing>(_ things: [Thing], _ columns: (Thing) -> [String]) -> String {
    things.map { fields(columns($0)) }.joined()
  }

  /// A row for each of several things.
  func table<Thing>(
    _ header: [String]? = nil,
    details: [String] = [],
    of things: [Thing],
    _ row: (Thing) -> [Cell]
  ) -> String {
    var table = TextTable(header: header, details: details)
    for thing in things { table.append(row(thing)) }
    return table.text(presentation)
  }

  /// A value as a field: a text without quotes, nothing for `null`, anything else as JSON; on a terminal
  /// on one line, without what moves the cursor.
  func plain(_ document: JSON?) -> String {
    guard let document, !document.isNull else { return "" }
    return plain(document.stringValue ?? document.text)
  }

  /// A text as a field: on a terminal on one line, without what moves the cursor.
  func plain(_ text: String?) -> String {
    guard let text else { return "" }
    return isTerminal ? SafeText.line(text) : text
  }

  /// A number as a field; nothing where there is none.
  func plain(_ number: Int?) -> String { number.map(String.init) ?? "" }

  /// A number as a field; nothing where there is none.
  func plain(_ number: Double?) -> String { plain(number.map { JSON.number($0) }) }

  /// The part of an id that people read.
  func short(_ id: String?) -> String {
    String(plain(id).prefix(8))
  }

  func bold(_ text: String) -> String {
    presentation.depth == .none ? text : "\u{1B}[1m\(text)\(Swatch.reset)"
  }

  /// Makes a sentence of any origin safe to print, and wraps it to the width of the terminal.
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
  func time(_ moment: String?) -> String {
    let text = plain(moment)
    guard text.utf8.count >= 19, text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.prefix(19).map { $0 == "T" ? " " : String($0) }.joined() + " UTC"
  }

  /// The time since a moment; nothing for nil.
  func ago(_ moment: String?) -> String {
    moment.map { Ago.text($0, now: presentation.now) } ?? ""
  }

  /// The time until a moment; nothing for nil.
  func end(_ moment: String?) -> String {
    moment.map { Ago.end($0, now: presentation.now) } ?? ""
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
  func palettes(_ palettes: [Received<PaletteAnswer>]) -> String {
    guard isTerminal else { return palettes.map(paletteFields).joined() }
    guard !palettes.isEmpty else { return "No palettes yet; make one with: hued new NAME\n" }
    // As wide as the other columns leave room for, in steps of a swatch.
    let names = palettes.map { DisplayWidth.of(SafeText.line(plain($0.name))) }.max() ?? 0
    let room = max(0, (presentation.columns - min(48, max(4, names)) - 10) / Self.stripWidth)
    return table(["NAME", "COLORS", "FIRST COLORS"], details: ["ID"], of: palettes) { palette in
      [
        Cell(plain(palette.name)), Cell(plain(palette.count), alignsRight: true),
        strip(palette.strip, limit: min(room, Self.stripLimit)), Cell(plain(palette.id)),
      ]
    }
  }

  /// The number of columns a color has in a strip, and how many colors one has at most.
  private static let stripWidth = 2
  static let stripLimit = 40

  /// Patches of a palette's first colors; nothing on a terminal without colors.
  private func strip(_ hexes: [String], limit: Int) -> Cell {
    let patches = hexes.prefix(limit).map { hex in
      Swatch.patch(hex, width: Self.stripWidth, depth: presentation.depth)
    }.filter { !$0.isEmpty }
    let width = patches.count * Self.stripWidth
    return width == 0 ? Cell("") : Cell(styled: patches.joined(), width: width)
  }

  /// Name, number of colors, id.
  private func paletteFields(_ palette: Received<PaletteAnswer>) -> String {
    fields([plain(palette.name), plain(palette.count), plain(palette.id)])
  }

  /// The colors of a palette in order.
  func list(_ list: Received<ListAnswer>) -> String {
    let colors = list.colors
    guard isTerminal else { return colors.reduce(into: "") { $0 += recordFields($1) } }
    let number = "  " + count(colors.count, "color")
    let room = presentation.isWide ? .max : max(8, presentation.columns - number.utf8.count)
    let name = DisplayWidth.cut(SafeText.line(plain(list.palette.name)), to: room)
    let title = bold(name) + number + "\n"
    guard !colors.isEmpty else { return title }
    let header = ["#", "COLOR", "NAME", "VALUE", "CONFLICTS", "NOTE"]
    return title
      + table(header, details: ["ID"], of: Array(colors.enumerated())) { index, color in
        [
          Cell(String(index), alignsRight: true), swatch(color.hex), Cell(plain(color.name)),
          Cell(whole: authoredValue(color)), Cell(whole: registersInConflict(color)),
          Cell(plain(color.note), limit: max(16, presentation.columns / 3)),
          Cell(plain(color.id)),
        ]
      }
  }

  /// Position, hex, name, color, id, note.
  private func recordFields(_ record: Received<RecordAnswer>) -> String {
    let texts = [record.name, record.color, record.id, record.note].map {
      SafeText.field(plain($0))
    }
    let label = Swatch.label(plain(record.hex), depth: presentation.depth)
    return ([plain(record.index), label] + texts).joined(separator: "\t") + "\n"
  }

  /// One color after an edit.
  private func recordLine(_ record: Received<RecordAnswer>, after word: String) -> String {
    let swatch = swatch(record.hex).text
    let name = SafeText.line(plain(record.name))
    let place = record.index.map { ", position \($0)" } ?? ""
    return "\(word) \(swatch) \(name)  (\(short(record.id))\(place))\n"
  }

  /// A patch with the hex beside it.
  func swatch(_ hex: String) -> Cell {
    let hex = SafeText.line(plain(hex))
    let patch = Swatch.patch(hex, width: 4, depth: presentation.depth)
    return patch.isEmpty ? Cell(hex) : Cell(styled: patch + " " + hex, width: 5 + hex.utf8.count)
  }

  /// The value as it was written, where it is more than its hex.
  func authoredValue(_ record: Received<RecordAnswer>) -> String {
    let color = plain(record.color)
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

  func registersInConflict(_ record: Received<RecordAnswer>) -> String {
    record.conflicts.map(plain).joined(separator: " ")
  }

  private func palette(_ palette: Received<PaletteAnswer>, after word: String) -> String {
    guard isTerminal else { return paletteFields(palette) }
    let name = SafeText.line(plain(palette.name))
    let colors = count(palette.count ?? 0, "color")
    return "\(word) \(bold(name))  (\(short(palette.id)), \(colors))\n"
  }

  private func record(_ record: Received<RecordAnswer>, after word: String) -> String {
    isTerminal ? recordLine(record, after: word) : recordFields(record)
  }

  private func recordOrPalette(_ either: Received<RecordOrPalette>, after word: String) -> String {
    either.record.map { record($0, after: word) } ?? palette(either.palette, after: word)
  }

  /// One color after an edit, or several that it is about.
  private func records(_ answer: Received<AddedColors>, after word: String) -> String {
    answer.records.map { record($0, after: word) }.joined()
  }

  private func removed(_ removed: Received<RemovedColors>) -> String {
    let ids = removed.ids
    guard isTerminal else { return lines(ids) { [plain($0)] } }
    return "Removed \(count(ids.count, "color"))\n"
  }

  private func changed(_ undone: Received<UndoAnswer>, word: String, nothing: String) -> String {
    let entries = undone.changed
    guard !entries.isEmpty else { return isTerminal ? nothing + "\n" : "" }
    guard isTerminal else {
      return entries.map { entry in
        entry.isRemoved
          ? fields(["removed", plain(entry.record.id)]) : "changed\t" + recordFields(entry.record)
      }.joined()
    }
    let what = undone.summary.map { ": \(SafeText.line($0))" } ?? ""
    var text = paragraph("\(word)\(what)")
    for entry in entries.prefix(Self.changedLimit) {
      let record = entry.record
      text +=
        entry.isRemoved
        ? "  removed \(SafeText.line(plain(record.name)))\n" : recordLine(record, after: " ")
    }
    let rest = entries.count - Self.changedLimit
    return rest > 0 ? text + "  and \(count(rest, "other color"))\n" : text
  }

  /// The most colors that are told one by one.
  private static let changedLimit = 10
}
