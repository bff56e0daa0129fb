/// Takes groups out of a text whose last color went, and in which nothing else is.
struct EmptiedGroups {
  let format: any FileFormat
  /// The file as it was before.
  let before: FileContents

  /// The most groups around each other that are looked at.
  private static let depthLimit = 32

  /// The file without such groups.
  func removed(from file: [UInt8]) -> [UInt8] {
    var file = file
    guard !before.groupPlaces.isEmpty else { return file }
    for _ in 0..<Self.depthLimit {
      guard let contents = try? format.read(file), let encoding = TextEncoding(of: file) else {
        break
      }
      let text = encoding.text
      let ranges = contents.groupPlaces.filter { prefix, range in
        isEmpty(range, in: text)
          && before.entries.contains { $0.place?.prefix.utf8.starts(with: prefix.utf8) ?? false }
      }
      guard !ranges.isEmpty else { break }
      let changes = TextChanges(ranges.values.map { (whole($0, in: text), []) })
      let next = encoding.encoded(format.tidied(changes.copy(0..<text.count, of: text)))
      guard (try? format.read(next).entries) == contents.entries else { break }
      file = format.file(file, holding: next)
    }
    return file
  }

  private func isEmpty(_ group: Range<Int>, in text: [UInt8]) -> Bool {
    guard let open = text[group].lastIndex(of: UInt8(ascii: "{")),
      text[(open + 1)..<(group.upperBound - 1)].allSatisfy({ $0 <= 0x20 })
    else { return false }
    // A key that is computed has brackets around it.
    let before = text[..<group.lowerBound].last { $0 > 0x20 }
    return before == UInt8(ascii: "{") || before == UInt8(ascii: ",")
  }

  /// The range of a group with its comma, and with its lines where it has such.
  private func whole(_ group: Range<Int>, in text: [UInt8]) -> Range<Int> {
    var end = group.upperBound
    while end < text.count, text[end] <= 0x20 { end += 1 }
    let hasComma = end < text.count && text[end] == UInt8(ascii: ",")
    let core = group.lowerBound..<(hasComma ? end + 1 : group.upperBound)
    let place = EntryPlace(around: core, in: text, [])
    return place.range.lowerBound..<(place.lineEnd?.upperBound ?? place.range.upperBound)
  }
}
