internal import PaletteJSON

/// The places of a JSON document's values in its text.
///
/// The document has been read before: what is no JSON gives an outline that ends early.
struct JSONOutline {
  /// The value from its first byte to its last.
  let range: Range<Int>
  /// The members of an object in order.
  private(set) var members: [Member] = []
  /// The elements of a list.
  private(set) var elements: [JSONOutline] = []

  /// A key, with its quotes, and its value.
  struct Member {
    let key: Range<Int>
    let value: JSONOutline
  }

  /// The outline of a whole document.
  init(of text: [UInt8]) {
    var place = 0
    self.init(text, &place, depth: 0)
  }

  private init(_ text: [UInt8], _ place: inout Int, depth: Int) {
    Self.skipSpace(text, &place)
    let start = place
    var members: [Member] = []
    var elements: [JSONOutline] = []
    let first = place < text.count ? text[place] : 0
    if first == UInt8(ascii: "\"") {
      _ = Self.string(text, &place)
    } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      depth < JSONParser.depthLimit
    {
      place += 1
      let end = first + 2
      while place < text.count {
        Self.skipSpace(text, &place)
        guard place < text.count, text[place] != end else { break }
        if text[place] == UInt8(ascii: ",") {
          place += 1
        } else if first == UInt8(ascii: "{") {
          guard let key = Self.string(text, &place) else { break }
          Self.skipSpace(text, &place)
          guard place < text.count, text[place] == UInt8(ascii: ":") else { break }
          place += 1
          members.append(Member(key: key, value: JSONOutline(text, &place, depth: depth + 1)))
        } else {
          let before = place
          elements.append(JSONOutline(text, &place, depth: depth + 1))
          if place == before { break }
        }
      }
      place = min(place + 1, text.count)
    } else {
      let ends = Set(",]} \n\r\t".utf8)
      while place < text.count, !ends.contains(text[place]) { place += 1 }
    }
    range = start..<place
    self.members = members
    self.elements = elements
  }

  /// The value of the last member with a key.
  func value(of key: String, in text: [UInt8]) -> JSONOutline? {
    members.last { text[$0.key.inner].elementsEqual(key.utf8) }?.value
  }

  private static func skipSpace(_ text: [UInt8], _ place: inout Int) {
    while place < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[place]) { place += 1 }
  }

  private static func string(_ text: [UInt8], _ place: inout Int) -> Range<Int>? {
    guard place < text.count, text[place] == UInt8(ascii: "\"") else { return nil }
    let start = place
    place += 1
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place + 1, text.count)
    return start..<place
  }
}

extension Range<Int> {
  /// The range without the quotes at both ends.
  var inner: Range { count < 2 ? self : (lowerBound + 1)..<(upperBound - 1) }

  /// Leaves out the first place.
  mutating func removeFirst() { self = (lowerBound + 1)..<upperBound }

  /// Leaves out the last place.
  mutating func removeLast() { self = lowerBound..<(upperBound - 1) }
}

extension JSONOutline {
  /// The place of a member or an element: from its first byte to the comma behind it.
  static func place(
    of core: Range<Int>,
    in text: [UInt8],
    _ slots: [EntrySlot],
    prefix: String = ""
  ) -> EntryPlace {
    var end = core.upperBound
    skipSpace(text, &end)
    let hasComma = end < text.count && text[end] == UInt8(ascii: ",")
    let separator = hasComma ? end..<(end + 1) : core.upperBound..<core.upperBound
    return EntryPlace(
      around: core.lowerBound..<separator.upperBound,
      in: text,
      slots.sorted { $0.range.lowerBound < $1.range.lowerBound },
      separator: .init(range: separator, byte: UInt8(ascii: ",")),
      prefix: prefix
    )
  }

  /// The text of a document without the commas that nothing follows.
  static func withoutTrailingCommas(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var comma: Int?
    var place = 0
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "\"") {
        comma = nil
        let start = place
        _ = string(text, &place)
        result += text[start..<place]
        continue
      }
      if byte == UInt8(ascii: ",") {
        comma = result.count
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        if let comma { result.remove(at: comma) }
        comma = nil
      } else if ![0x20, 0x0A, 0x0D, 0x09].contains(byte) {
        comma = nil
      }
      result.append(byte)
      place += 1
    }
    return result
  }
}
