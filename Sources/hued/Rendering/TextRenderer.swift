import PaletteCommands
import PaletteFormats
import PaletteModel

/// Shows the documents of the API as text.
struct TextRenderer {
  let presentation: Presentation
  let invocation: Invocation

  var isTerminal: Bool { presentation.isTerminal }
  var now: Moment { presentation.now }

  /// The text for one answer of the API; what nobody made another text for is told as it is.
  func output(for document: JSON) -> Output {
    guard invocation.command.hasResult || !presentation.isQuiet else { return Output("") }
    switch invocation.command {
    case .palettes: return Output(palettes(document))
    case .list, .sort: return Output(list(document))
    case .history: return Output(history(document))
    case .conflicts: return Output(conflicts(document))
    case .formats: return Output(formats(document))
    case .color: return Output(color(document))
    case .convert: return Output(converted(document))
    case .contrast: return Output(contrast(document))
    case .nearestName: return Output(nearestName(document))
    case .mix, .ramp, .harmony, .distinct, .simulate, .pick: return Output(colors(document))
    case .add where document["hex"].isNull: return Output(added(document))
    case .status where invocation.isOverview: return Output(overview(document))
    case .status: return Output(status(document))
    case .doctor: return Output(doctor(document))
    case .backup where !document["checks"].isNull: return Output(doctor(document))
    case .config: return Output(config(document))
    case .import: return imported(document)
    case .link: return Output(linked(document))
    case .unlink: return Output(sentence("Unlinked", document["unlinked"]))
    case .links: return Output(links(document))
    case .share: return Output(shared(document))
    case .token: return Output(isTerminal ? facts(document) : plain(document["token"]) + "\n")
    case .open: return Output(plain(document["url"]) + "\n")
    case .tokens: return Output(tokens(document))
    case .peers: return Output(peers(document))
    case .join: return Output(joined(document))
    case .leave: return Output(sentence("Left", document["left"]))
    case .revoke: return Output(sentence("Revoked", document["revoked"]))
    case .sync: return Output(synced(document))
    case .new: return Output(palette(document, after: "Created"))
    case .drop: return Output(palette(document, after: "Dropped"))
    case .title: return Output(palette(document, after: "Renamed to"))
    case .restore where document["hex"].isNull:
      return Output(palette(document, after: "Restored"))
    case .remove: return Output(removed(document))
    case .undo: return Output(changed(document, word: "Undone", nothing: "Nothing to undo"))
    case .redo: return Output(changed(document, word: "Redone", nothing: "Nothing to redo"))
    case .compact: return Output(compaction(document))
    case .backup where isTerminal: return Output(backedUp(document))
    case .recover where isTerminal: return Output(recovered(document))
    default:
      guard let word = Self.wordsOfEdits[invocation.command] else { return Output(facts(document)) }
      return Output(record(document, after: word))
    }
  }

  /// What became of one color.
  private static let wordsOfEdits: [Command: String] = [
    .add: "Added", .set: "Set", .rename: "Renamed", .note: "Noted", .move: "Moved",
    .restore: "Restored", .tweak: "Tweaked", .resolve: "Resolved",
  ]

  /// A tab-separated line.
  func fields(_ fields: [String]) -> String {
    fields.map(SafeText.field).joined(separator: "\t") + "\n"
  }

  /// A value as a field: a text without quotes, nothing for `null`, anything else as JSON.
  func plain(_ document: JSON?) -> String {
    guard let document, !document.isNull else { return "" }
    return document.stringValue ?? document.text
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

  /// How long ago a time was; nothing for `null`.
  func ago(_ document: JSON?) -> String {
    document.stringValue.map { Ago.text($0, now: presentation.now) } ?? ""
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
}
