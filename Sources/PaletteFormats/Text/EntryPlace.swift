/// The place of an entry in the text of its file, so that it can be changed there and all else
/// stays.
///
/// Places count the bytes of the text in UTF-8, without a byte order mark.
public struct EntryPlace: Hashable, Sendable {
  /// The range of the entry: its line or declaration, with white space and comments on the same
  /// line.
  public let range: Range<Int>
  /// The line end behind it, empty where the entry shares its line or ends the file; nil where it shares
  /// its line.
  let lineEnd: Range<Int>?
  /// The parts of the entry that concern the color, in the order of the text.
  let slots: [EntrySlot]
  /// The mark between it and the next entry.
  var separator: Separator?
  /// The common beginning of the names of the entries around it, such as `Group/`.
  var prefix = ""
  /// Where the groups of the prefix stand, the outermost first, in formats that can add beside one.
  var groups: [Range<Int>] = []
  /// The rule of a stylesheet around it, by its place.
  var rule: Int?
  /// True if it is a member of an object, whose groups are objects in it: entries look alike at every depth.
  var isMember = false

  /// A byte between entries.
  struct Separator: Hashable, Sendable {
    /// The range; empty if the part is missing.
    let range: Range<Int>
    let byte: UInt8
  }
}

extension EntryPlace {
  /// The place of an entry that is a part of a line, or has lines of its own.
  ///
  /// The white space before it belongs to it: it is there for the entry.
  init(
    around core: Range<Int>,
    in text: [UInt8],
    _ slots: [EntrySlot],
    separator: Separator? = nil,
    prefix: String = ""
  ) {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var start = core.lowerBound
    while start > 0, isSpace(text[start - 1]) { start -= 1 }
    var end = core.upperBound
    while end < text.count, isSpace(text[end]) { end += 1 }
    let beginsLine = start == 0 || text[start - 1] == 0x0A || text[start - 1] == 0x0D
    let endsLine = end == text.count || text[end] == 0x0A || text[end] == 0x0D
    self.slots = slots
    self.separator = separator
    self.prefix = prefix
    if beginsLine, endsLine {
      range = start..<end
      let isPair = text[end...].starts(with: [0x0D, 0x0A])
      lineEnd = end..<min(text.count, end + (isPair ? 2 : 1))
    } else {
      range = (beginsLine ? core.lowerBound : start)..<core.upperBound
      lineEnd = nil
    }
  }
}

extension EntryPlace {
  /// True if the entry is what a group has from another one.
  var isInherited: Bool { slots.first?.meaning == .inherited }

  /// True if the name stands elsewhere, or is that of the group.
  var hasFixedKey: Bool {
    slots.contains { slot in
      if case .key(_, isFixed: true) = slot.meaning { true } else { slot.meaning == .inherited }
    }
  }

  /// The place of an entry that is changed as a whole.
  static func unit(_ range: Range<Int>) -> EntryPlace {
    EntryPlace(
      range: range,
      lineEnd: nil,
      slots: [EntrySlot(range: range, meaning: .unit)]
    )
  }
}

/// A part of an entry's text that says one thing about the color.
struct EntrySlot: Hashable, Sendable {
  /// The meaning of the part.
  enum Meaning: Hashable, Sendable {
    /// The color, in whatever notation it is; `isPadded` where numbers stand in columns.
    case color(Quoting = .none, isPadded: Bool = false)
    /// The color as hexadecimal digits with the opacity in front.
    case alphaFirstDigits
    /// One channel, or the opacity, as a number.
    case channel(Int)
    /// The share of one ink, in percent.
    case ink(Int)
    /// The four inks as hexadecimal digits.
    case inks
    /// Lightness, or one axis of Lab.
    case labPart(Int)
    /// The value of a design token, an object.
    case tokenValue
    /// The color as `#` and hexadecimal digits, as near as they come.
    case hex
    /// Another color that this one stands for.
    case reference(Quoting, isAlphaFirst: Bool = false)
    /// The same in a design token, the whole value.
    case tokenReference
    /// The place of what a group has from another one.
    case inherited
    /// The text that is the value of a design token, with its quotes; what it cannot say is an object where
    /// the file has such, else the nearest color.
    case tokenText(hasObjects: Bool)
    /// The name as people write it.
    case name(Quoting = .line)
    /// The name as an identifier.
    case identifier(FileNames.Style, Quoting = .none)
    /// The last part of the name, after the prefix of the place; `isFixed` where the name stands elsewhere.
    case key(Quoting, isFixed: Bool = false)
    /// A comment that holds the name where the identifier does not; it may be somebody's own.
    case comment(isOwn: Bool, isLine: Bool)
    /// The note.
    case note(Quoting)
    /// The note as a member of an object with its comma: an entry without a note does not have it.
    case noteMember(before: String, after: String)
    /// The place of a note that an object does not have yet.
    case missingNote
    /// The id.
    case id
    /// The place of what the extension of a design token does not say yet: its name, an exact color.
    case missingExtension
    /// The place of a text that an entry needs outside of the group whose names begin so.
    case needed(outside: String, text: String)
    /// The place of what divides entries, where it is missing.
    case separator(UInt8)
    /// A part that belongs to this entry alone: a new entry does not get it.
    case own
    /// The whole entry, of which the format knows the parts.
    case unit

    /// True if it is what the rest of the text may call the entry.
    var isIdentifier: Bool {
      switch self {
      case .identifier, .key: true
      default: false
      }
    }
  }

  let range: Range<Int>
  let meaning: Meaning
}

extension TextFile {
  /// The range of a part of the text.
  func range(of part: Substring) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: part.startIndex)
    return start..<(start + part.utf8.count)
  }

  /// The place of an entry that is a whole line.
  func place(of line: Line, _ slots: [EntrySlot]) -> EntryPlace {
    let range = range(of: line.text)
    return EntryPlace(range: range, lineEnd: lineEnd(at: range.upperBound), slots: slots)
  }

  /// The line end that begins at a place; empty at the end of the text.
  func lineEnd(at place: Int) -> Range<Int> {
    let bytes = text.utf8.dropFirst(place).prefix(2)
    if bytes.elementsEqual([0x0D, 0x0A]) { return place..<(place + 2) }
    return place..<(place + (bytes.isEmpty ? 0 : 1))
  }
}

extension Substring {
  /// The beginning of the text, not longer than so many bytes; a long text takes no longer than a short one.
  func beginning(_ bytes: Int) -> Substring {
    guard utf8.count > bytes else { return self }
    return self[..<unicodeScalars.index(after: utf8.index(startIndex, offsetBy: bytes - 1))]
  }

  /// The part without white space at both ends.
  var trimmedPart: Substring {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return self[endIndex...] }
    return self[first..<scalars.index(after: last)]
  }
}
