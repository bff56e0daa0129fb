import PaletteCommands
import PaletteFormats

/// Shows the documents of the API as text.
struct TextRenderer {
  let presentation: Presentation
  let invocation: Invocation

  var isTerminal: Bool { presentation.isTerminal }

  /// The text for one answer of the API.
  func answer(for document: JSON?) -> Answer {
    switch invocation.verb {
    case .palettes: Answer(palettes(document))
    case .list: Answer(list(document))
    case .history: Answer(history(document))
    case .conflicts: Answer(conflicts(document))
    case .formats: Answer(formats(document))
    case .color: Answer(color(document))
    case .convert: Answer(converted(document))
    case .contrast: Answer(contrast(document))
    case .name: Answer(nearestName(document))
    case .status: Answer(status(document))
    case .doctor: Answer(doctor(document))
    case .config: Answer(config(document))
    case .import: imported(document)
    case .new, .drop, .title, .add, .set, .rename, .note, .move, .remove, .restore, .tweak, .undo,
      .redo, .resolve, .backup, .recover, .compact:
      Answer(presentation.isQuiet ? "" : edit(document))
    case .share, .open, .token, .tokens, .peers: Answer(sharing(document))
    case .join, .leave, .revoke, .sync: Answer(presentation.isQuiet ? "" : sharing(document))
    case .export, .completion, .man, .help, .serve, .watch: Answer(facts(document))
    }
  }

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
