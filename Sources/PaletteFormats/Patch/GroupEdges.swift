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
    /// The entry whose form it takes, and the names of the groups around it.
    let place: EntryPlace
    /// The entry itself where it brings its own text along.
    let entry: Int?
  }

  /// Finds the gap for a color that belongs into neither neighbor's group.
  ///
  /// - Parameters:
  ///   - name: The name of the color.
  ///   - last: The entry before it.
  ///   - next: The entry behind it.
  ///   - own: The entry that it is; nil for a new one.
  /// - Returns: The gap; nil where the color belongs into one of the groups.
  func gap(for name: String, _ last: Int?, _ next: Int?, own: Int?) -> Gap? {
    func depth(_ place: EntryPlace) -> Int? {
      guard !place.groups.isEmpty, !Self.fits(name, place.prefix) else { return nil }
      let names = place.prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      guard names.count == place.groups.count else { return nil }
      var depth = 0
      while depth < names.count,
        Self.fits(name, names.prefix(depth + 1).map { $0 + "/" }.joined())
      {
        depth += 1
      }
      return depth
    }
    guard let neighbor = last ?? next, let depth = depth(places[neighbor]) else { return nil }
    if last != nil, let next, isIn(name, places[next]) { return nil }
    let names = places[neighbor].prefix.split(separator: "/").prefix(depth)
    let prefix = names.map { $0 + "/" }.joined()
    let template =
      own
      ?? places.indices.min { first, second in
        let isFirst = places[first].prefix == prefix
        guard isFirst == (places[second].prefix == prefix) else { return isFirst }
        return abs(first - neighbor) < abs(second - neighbor)
      }
    var place = places[template ?? neighbor]
    let entry = own.flatMap { places[$0].prefix == prefix ? $0 : nil }
    place.prefix = prefix
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
    guard let end = self.end(ofGroup: group, before: place) else { return nil }
    return Gap(
      offset: end.offset,
      isBehind: true,
      needsComma: !end.hasComma,
      space: space,
      place: place,
      entry: entry
    )
  }

  private func isIn(_ name: String, _ place: EntryPlace) -> Bool {
    place.prefix.isEmpty ? !name.contains("/") : Self.fits(name, place.prefix)
  }

  /// The end of a group with its comma and the comment behind that; nil where it needs another mark.
  private func end(
    ofGroup group: Range<Int>,
    before place: EntryPlace
  ) -> (offset: Int, hasComma: Bool)? {
    guard isText else { return (group.upperBound, true) }
    var comma = group.upperBound
    if place.separator?.byte == UInt8(ascii: ";") {
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

  /// Returns whether a name goes on behind the beginning of the names of a group.
  static func fits(_ name: String, _ prefix: String) -> Bool {
    name.utf8.starts(with: prefix.utf8)
      && (prefix.isEmpty || name.utf8.count > prefix.utf8.count)
  }
}
