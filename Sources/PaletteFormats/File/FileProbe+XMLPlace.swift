internal import PaletteModel

extension FileProbe {
  /// The place of an element in a document in UTF-8, with what its attributes and its text say.
  func place(
    of element: XMLElement,
    _ meanings: [(name: String, meaning: EntrySlot.Meaning)],
    text meaning: EntrySlot.Meaning? = nil
  ) -> EntryPlace? {
    let markCount = bytes.count - content.count
    guard isUTF8 else { return nil }
    let shift = { (range: Range<Int>) in
      (range.lowerBound - markCount)..<(range.upperBound - markCount)
    }
    guard element.tag.lowerBound >= markCount, element.end <= bytes.count else { return nil }
    var slots: [EntrySlot] = []
    for (name, range) in attributes(of: element.tag) {
      let found = meanings.first { $0.name.lowercased() == name.lowercased() }
      if let found { slots.append(EntrySlot(range: shift(range), meaning: found.meaning)) }
    }
    if let meaning {
      let inner = bytes[element.tag.upperBound..<element.end]
      let end = inner.firstIndex(of: UInt8(ascii: "<")) ?? element.tag.upperBound
      var range = element.tag.upperBound..<end
      while let first = bytes[range].first, first <= 0x20 {
        range = (range.lowerBound + 1)..<range.upperBound
      }
      while let last = bytes[range].last, last <= 0x20 {
        range = range.lowerBound..<(range.upperBound - 1)
      }
      slots.append(EntrySlot(range: shift(range), meaning: meaning))
    }
    var end = element.end
    // A comment behind the element, on its line.
    var place = end
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    if bytes[place...].starts(with: "<!--".utf8) {
      let line = bytes[place...].prefix { $0 != 0x0A && $0 != 0x0D }
      if let last = line.indices.last(where: { line[$0...].starts(with: "-->".utf8) }) {
        slots.append(EntrySlot(range: shift(end..<(last + 3)), meaning: .own))
        end = last + 3
      }
    }
    return EntryPlace(around: shift(element.tag.lowerBound..<end), in: contentBytes, slots)
  }

  /// The attributes in a start tag, with the places of their values.
  func attributes(of tag: Range<Int>) -> [(name: String, value: Range<Int>)] {
    var found: [(String, Range<Int>)] = []
    var place = tag.lowerBound
    while place < tag.upperBound, bytes[place] > 0x20 { place += 1 }
    while place < tag.upperBound {
      let start = place
      while place < tag.upperBound, bytes[place] != UInt8(ascii: "=") { place += 1 }
      let name = String(decoding: bytes[start..<place], as: UTF8.self).trimmed
      while place < tag.upperBound, ![0x22, 0x27].contains(bytes[place]) { place += 1 }
      guard place < tag.upperBound else { break }
      let quote = bytes[place]
      let value = place + 1
      place = value
      while place < tag.upperBound, bytes[place] != quote { place += 1 }
      found.append((name.split(separator: ":").last.map(String.init) ?? name, value..<place))
      place += 1
    }
    return found
  }
}
