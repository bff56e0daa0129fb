internal import PaletteJSON
internal import PaletteModel

/// Writes what the parts of an entry say about its color.
struct SlotWriter {
  let color: NamedColor
  let wanted: FileEntry
  /// The common beginning of the names of the entries beside it.
  let prefix: String
  /// The identifiers of the file.
  var names: Set<String>
  /// The identifier or key that was written.
  private(set) var identifier: String?

  init(color: NamedColor, wanted: FileEntry, prefix: String, names: Set<String>) {
    self.color = color
    self.wanted = wanted
    self.prefix = prefix
    self.names = names
  }

  private var name: String { TextRule.name.cleaned(color.name) ?? "" }

  /// The new text of a part.
  mutating func text(_ meaning: EntrySlot.Meaning, like old: String, isNew: Bool) -> String {
    switch meaning {
    case .color(let quoting, let isPadded):
      let plain = quoting.plain(old)
      return quoting.quoted(
        ColorNotation.text(of: wanted.color, like: plain, isPadded: isPadded)
      )
    case .hex: return wanted.color.hex
    case .reference(_, true): return ColorNotation.alphaFirstDigits(of: wanted.color, like: "#")
    case .reference(let quoting, false): return quoting.quoted(wanted.color.stylesheetText)
    case .tokenReference: return TokenNotation.text(of: wanted.color)
    case .alphaFirstDigits:
      return ColorNotation.alphaFirstDigits(of: wanted.color, like: old)
    case .channel(let index): return channel(index)
    case .ink(let index): return JSON(wanted.color.inks[index] * 100).text
    case .inks: return inks(like: old)
    case .labPart(let index):
      return JSON(wanted.color.converted(to: .lab).components[index] ?? 0).text
    case .tokenValue: return TokenNotation.text(of: wanted.color, like: old)
    case .tokenText(let hasObjects): return tokenText(like: old, hasObjects: hasObjects)
    case .name(let quoting):
      let text = quoting.quoted(wanted.name ?? "")
      // A name after numbers needs something between.
      return old.isEmpty && quoting == .line && !text.isEmpty ? "\t" + text : text
    case .identifier(let style, let quoting):
      if !isNew { names.remove(old) }
      let free = FileNames.free(for: name, style) { !names.contains($0) }
      names.insert(free)
      identifier = free
      return quoting.quoted(free)
    case .key(let quoting, _):
      if !isNew { names.remove(prefix + quoting.plain(old)) }
      return key(quoting)
    case .comment(_, let isLine): return comment(like: old, isLine: isLine)
    case .note(let quoting): return quoting.quoted(wanted.note ?? "")
    case .noteMember(let before, let after):
      let note = wanted.note ?? ""
      return note.isEmpty ? "" : before + Quoting.json.quoted(note) + after
    case .missingNote:
      let note = wanted.note ?? ""
      return note.isEmpty ? "" : ", \"$description\": \(JSON(note).text)"
    case .id: return "\(color.id)"
    case .missingExtension:
      var text = ""
      if prefix + (identifier ?? "") != name { text += ", \"name\": \(JSON(name).text)" }
      if color.color.space == .hsb { text += ", \"color\": \(JSON(color.color.css).text)" }
      return text
    case .needed(_, let text): return text
    case .separator(let byte): return String(UnicodeScalar(byte))
    case .own, .unit, .inherited: return ""
    }
  }

  /// The value of a token that is a text: digits of a draft, or what can say more.
  private func tokenText(like old: String, hasObjects: Bool) -> String {
    let plain = Quoting.json.plain(String(old.dropFirst().dropLast()))
    if wanted.color.bytes8 != nil {
      return "\"" + Quoting.json.quoted(ColorNotation.text(of: wanted.color, like: plain)) + "\""
    }
    return hasObjects ? TokenNotation.text(of: wanted.color) : "\"\(wanted.color.hex)\""
  }

  /// The inks as digits in the case of the old ones.
  private func inks(like old: String) -> String {
    let digits = wanted.color.inks.map { ink in
      let text = String(UInt8((ink * 255).rounded()), radix: 16)
      return text.utf8.count < 2 ? "0" + text : text
    }
    let text = digits.joined()
    return "#" + (old.contains(where: \.isUppercase) ? text.uppercased() : text)
  }

  private func channel(_ index: Int) -> String {
    if index == 3 { return JSON(wanted.color.alpha ?? 0).text }
    let bytes = wanted.color.shownBytes
    return String([bytes.red, bytes.green, bytes.blue][index])
  }

  /// The rest of the name after the prefix, as far as the notation of the old key can hold it.
  private mutating func key(_ quoting: Quoting) -> String {
    let rest =
      name.droppingBytes(prefix) ?? quoting.path(name).droppingBytes(prefix) ?? name
    var key = quoting.key(quoting == .json ? rest.replacingBytes(of: "/", with: "-") : rest)
    if key.isEmpty { key = "color" }
    // The number of a second one is a part of the word.
    let divider = quoting == .word ? "-" : " "
    if quoting == .word { key = quoting.quoted(key) }
    var free = key
    var number = 2
    while names.contains(prefix + free) {
      free = "\(key)\(divider)\(number)"
      number += 1
    }
    names.insert(prefix + free)
    identifier = free
    return quoting.quoted(free)
  }

  /// The comment that says the name, where the identifier does not.
  private func comment(like old: String, isLine: Bool) -> String {
    guard !name.isEmpty, name != identifier else { return "" }
    let plain = old.trimmed
    let isLine = plain.utf8.starts(with: "//".utf8) || (plain.isEmpty && isLine)
    return " " + (isLine ? Quoting.lineComment("//") : .comment).quoted(name)
  }
}
