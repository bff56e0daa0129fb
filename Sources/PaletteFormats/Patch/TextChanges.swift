internal import PaletteModel

/// The changes of a text beside those of its entries: references, counts and the title.
struct TextChanges {
  private let changes: [(range: Range<Int>, text: [UInt8])]

  /// Sorts changes; of two that overlap the first one counts.
  init(_ changes: [(range: Range<Int>, text: [UInt8])]) {
    var end = 0
    self.changes =
      changes.sorted {
        ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
      }
      .filter { change in
        guard change.range.lowerBound >= end else { return false }
        end = change.range.upperBound
        return true
      }
  }

  /// A part of a text with the changes that are wholly in it.
  func copy(_ range: Range<Int>, of text: [UInt8]) -> [UInt8] {
    guard !changes.isEmpty, !range.isEmpty else { return Array(text[range]) }
    var result: [UInt8] = []
    var cursor = range.lowerBound
    for change in changes[firstIndex(from: range.lowerBound)...] {
      guard change.range.upperBound <= range.upperBound else { break }
      result += text[cursor..<change.range.lowerBound] + change.text
      cursor = change.range.upperBound
    }
    return result + text[cursor..<range.upperBound]
  }

  /// The index of the first change at or behind a place.
  private func firstIndex(from place: Int) -> Int {
    changes.endOfPrefix { $0.range.lowerBound < place }
  }
}

extension TextPatch {
  /// The changes of the references to entries that are renamed or gone.
  ///
  /// - Parameters:
  ///   - references: The references in the text.
  ///   - spelled: The new keys of the entries that are renamed.
  ///   - kept: The entries that stay.
  /// - Returns: The changes in the order of the references.
  func changes(
    of references: [FileReference],
    spelled: [Int: NewName],
    kept: Set<Int>
  ) -> [(range: Range<Int>, text: [UInt8])] {
    references.compactMap { reference in
      let left = reference.targets.filter(kept.contains)
      func valued(_ target: Int?) -> (range: Range<Int>, text: [UInt8])? {
        guard let whole = reference.whole, let target else { return nil }
        return (whole, Array(value(of: target, as: reference.form).utf8))
      }
      guard let first = left.first else { return valued(reference.targets.first) }
      // The name goes on being there as long as one of them has it; else the first one's is as near as can be.
      guard let new = spelled[first], left.allSatisfy({ spelled[$0] != nil }) else { return nil }
      let old = entries[first].place?.prefix ?? ""
      guard let (range, name) = reference.changed(to: new.key, in: new.prefix, from: old) else {
        return valued(first)
      }
      return (range, Array(name.utf8))
    }
  }

  /// The value of an entry as its text has it, for what referred to it.
  private func value(of index: Int, as form: FileReference.Form) -> String {
    if form == .fallback { return ", " + value(of: index, as: .color) }
    if case .quoted(let quote) = form {
      let mark = String(UnicodeScalar(quote))
      return mark + Quoting.quotes(quote).quoted(value(of: index, as: .color)) + mark
    }
    let entry = entries[index]
    for slot in entry.place?.slots ?? [] {
      let own = String(decoding: text[slot.range], as: UTF8.self)
      switch (slot.meaning, form) {
      case (.color, .color), (.alphaFirstDigits, .alphaFirst): return own
      case (.tokenValue, .token), (.tokenText, .token): return own
      case (.color, .token): return "\"" + own + "\""
      case (.tokenText, .color): return String(own.dropFirst().dropLast())
      default: continue
      }
    }
    switch form {
    case .color, .fallback, .quoted: return entry.color.stylesheetText
    case .alphaFirst: return ColorNotation.alphaFirstDigits(of: entry.color, like: "#")
    case .token(true): return TokenNotation.text(of: entry.color)
    case .token(false): return "\"\(entry.color.hex)\""
    }
  }
}
