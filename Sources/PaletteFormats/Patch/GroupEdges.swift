internal import PaletteModel

/// The edges of the groups in a text, where colors come to stand that belong into the group of neither neighbor.
struct GroupEdges {
  /// The places of the entries.
  let places: [EntryPlace]
  let text: [UInt8]
  let lineEnd: [UInt8]
  /// False for a format of bytes, which has no lines and no commas.
  let isText: Bool

  /// A place behind the group of the entry before a color, or before that of the next one.
  struct Gap {
    let offset: Int
    let isBehind: Bool
    /// True if a comma has to be written before it.
    let needsComma: Bool
    /// The text between it and the group.
    let space: [UInt8]
    /// The text behind what comes to stand there.
    var tail: [UInt8] = []
    /// The entry whose form it takes, and the names of the groups around it; nil where no entry has its form.
    let place: EntryPlace?
    /// The entry itself where it brings its own text along.
    let entry: Int?
  }

  /// Finds the gap for a color that belongs into neither neighbor's group.
  ///
  /// - Parameters:
  ///   - home: The beginning of the names in the group of the color.
  ///   - last: The entry before it.
  ///   - next: The entry behind it.
  ///   - own: The entry that it is; nil for a new one.
  /// - Returns: The gap; nil where the color belongs into one of the groups.
  func gap(for home: String, _ last: Int?, _ next: Int?, own: Int?) -> Gap? {
    func depth(_ place: EntryPlace) -> Int? {
      guard !place.groups.isEmpty else { return nil }
      let names = place.prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      guard names.count == place.groups.count else { return nil }
      var depth = 0
      while depth < names.count,
        home.utf8.starts(with: names.prefix(depth + 1).joined(separator: "/").utf8 + [0x2F])
      {
        depth += 1
      }
      return depth < names.count ? depth : nil
    }
    guard let neighbor = last ?? next, let depth = depth(places[neighbor]) else { return nil }
    if last != nil, let next, places[next].prefix.hasSameBytes(as: home) { return nil }
    let names = places[neighbor].prefix.split(separator: "/").prefix(depth)
    let prefix = names.map { $0 + "/" }.joined()
    let template =
      own
      ?? places.indices.filter { !places[$0].isInherited }.min { first, second in
        let isFirst = places[first].prefix == prefix
        guard isFirst == (places[second].prefix == prefix) else { return isFirst }
        return abs(first - neighbor) < abs(second - neighbor)
      } ?? neighbor
    var place: EntryPlace? = places[template]
    let entry = own.flatMap { places[$0].isMember || places[$0].prefix == prefix ? $0 : nil }
    if entry == nil, !places[template].isMember, isText, places[template].prefix != prefix {
      // Declarations stand outside of all groups.
      guard depth == 0 else { return nil }
      place = nil
    }
    place?.prefix = prefix
    let group = places[neighbor].groups[depth]
    var start = group.lowerBound
    while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    let isLine = start == 0 || text[start - 1] == 0x0A || text[start - 1] == 0x0D
    let line = isLine ? lineEnd + text[start..<group.lowerBound] : [0x20]
    let space = isText ? line : []
    guard last != nil else {
      return Gap(
        offset: group.lowerBound,
        isBehind: false,
        needsComma: false,
        space: space,
        place: place,
        entry: entry
      )
    }
    let mark = place.map { $0.separator?.byte } ?? UInt8(ascii: ";")
    guard let end = self.end(ofGroup: group, mark: mark) else { return nil }
    return Gap(
      offset: end.offset,
      isBehind: true,
      needsComma: !end.hasComma,
      space: space,
      place: place,
      entry: entry
    )
  }

  /// Finds the gap at the end of a group that has no entry.
  func gap(inside group: Range<Int>, like template: EntryPlace, own: Int?) -> Gap {
    var last = group.upperBound - 2
    while last > group.lowerBound, text[last] <= 0x20 { last -= 1 }
    let mark = text[last]
    let isOpen = mark == UInt8(ascii: "{")
    let indentation = Indentation(text: text)
    let outer = indentation.of(group.lowerBound)
    let endsLine = text[last..<group.upperBound].contains(0x0A)
    let isLine = endsLine || (isOpen && template.lineEnd != nil)
    return Gap(
      offset: last + 1,
      isBehind: true,
      needsComma: !isOpen && mark != UInt8(ascii: ","),
      space: isLine ? lineEnd + outer + indentation.step(of: places) : [0x20],
      tail: isLine ? endsLine ? [] : lineEnd + outer : text[last + 1] <= 0x20 ? [] : [0x20],
      place: template,
      entry: own
    )
  }

  /// The end of a group with its comma and the comment behind that; nil where it needs another mark.
  private func end(
    ofGroup group: Range<Int>,
    mark: UInt8?
  ) -> (offset: Int, hasComma: Bool)? {
    guard isText else { return (group.upperBound, true) }
    var comma = group.upperBound
    if mark == UInt8(ascii: ";") {
      guard let last = text[group].last, [UInt8(ascii: ";"), UInt8(ascii: "}")].contains(last)
      else { return nil }
    } else {
      while comma < text.count, text[comma] <= 0x20 { comma += 1 }
      guard comma < text.count, text[comma] == UInt8(ascii: ",") else {
        return (group.upperBound, false)
      }
      comma += 1
    }
    var comment = comma
    while comment < text.count, text[comment] == 0x20 || text[comment] == 0x09 { comment += 1 }
    guard text[comment...].starts(with: "//".utf8) else { return (comma, true) }
    return (comment + text[comment...].prefix { $0 != 0x0A && $0 != 0x0D }.count, true)
  }
}
